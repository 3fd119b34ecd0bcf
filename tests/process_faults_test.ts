// The real program against a world that fails: each time one clear error, the
// right exit code, and evidence that is valid as far as it goes.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import { killSweep } from "../tasks/kill_sweep.ts";
import { freshFolder } from "./baseline_in_process.ts";
import { assertClosed, contentsOf } from "./closed_run.ts";
import {
  assertOneError,
  launch,
  type Left,
  OWN_MOUNTS,
  tinycoder,
} from "./launched.ts";
import { runOnSmallDisk } from "./small_disk.ts";
import { StdioRun } from "./stdio_run.ts";

/** The source's bytes by version, as the scripted baseline makes them. */
async function versionsOf(folder: string): Promise<readonly string[]> {
  const left = await tinycoder(folder, ["--run", "whole", "--quiet"]);
  assert.equal(left.code, 0, left.err);
  const text = (name: string) =>
    fs.readFileSync(`${folder}/whole/${name}`, "utf8");
  const versions = [
    text("backups/toy_math.py.v0"),
    text("backups/toy_math.py.v1"),
    text("workspace/toy_math.py"),
  ];
  fs.rmSync(`${folder}/whole`, { recursive: true });
  return versions;
}

Deno.test("tinycoder lets exactly one of two runs have a folder", async () => {
  using folder = freshFolder();
  const versions = await versionsOf(folder.path);
  for (let attempt = 1; attempt <= 20; attempt++) {
    const name = `run${attempt}`;
    const left = await Promise.all(
      [1, 2].map(() => tinycoder(folder.path, ["--run", name, "--quiet"])),
    );
    const [winner, loser] = left.sort((a, b) => a.code - b.code) as [
      Left,
      Left,
    ];
    assert.equal(winner.code, 0, winner.err);
    assertOneError(loser, 3, `"${name}"`, "it exists already");
    const closed = await assertClosed(`${folder.path}/${name}`, versions);
    assert.equal(closed.stop, "finish_accepted");
    assert.equal(closed.recovered, false);
  }
});

/** Where a small disk is full: bytes that it holds, and files and folders. */
const DISKS = [
  ["4k", 100],
  ["12k", 100],
  ["20k", 100],
  ["24k", 100],
  ["32k", 100],
  ["40k", 100],
  ["56k", 100],
  ["1m", 4],
  ["1m", 8],
] as const;

for (const [size, files] of DISKS) {
  Deno.test(`tinycoder ends with one error on a disk of ${size} and ${files} files`, async () => {
    using folder = freshFolder();
    const versions = await versionsOf(folder.path);
    const outcome = await runOnSmallDisk(folder.path, size, files, versions);
    assert.match(outcome, /^refused, then recovered: /);
  });
}

/** Makes a folder read-only, by a mount that only its own processes see. */
const READ_ONLY = `set -eu
mount --bind . .
mount -o remount,bind,ro .
cd "$PWD"
exec "$@"
`;
const onReadOnly = [...OWN_MOUNTS, "sh", "-c", READ_ONLY, "sh"];

Deno.test("tinycoder refuses a run on a read-only disk", async () => {
  using folder = freshFolder();
  const left = await tinycoder(folder.path, ["--run", "run"], {
    within: onReadOnly,
  });
  assertOneError(left, 3, 'run folder "run"', "the disk is read-only");
  assert.deepEqual(contentsOf(folder.path), {});
});

Deno.test("tinycoder recover changes nothing on a read-only disk", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  await run.kill();
  const before = contentsOf(folder.path);
  const left = await tinycoder(folder.path, ["recover", "run"], {
    within: onReadOnly,
  });
  assertOneError(left, 5, 'recover the run "run"');
  assert.deepEqual(contentsOf(folder.path), before);
});

Deno.test("tinycoder says that its folder was deleted during the run", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  fs.rmSync(`${folder.path}/run`, { recursive: true });
  await run.propose('{"action":"read","file":"toy_math.py"}');
  const left = await run.left();
  assertOneError(left, 5, 'run in "run"', "is gone");
  assert.deepEqual(contentsOf(folder.path), {});
});

Deno.test("tinycoder finds a workspace that was deleted during the run", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  fs.rmSync(`${folder.path}/run/workspace`, { recursive: true });
  await run.propose('{"action":"read","file":"toy_math.py"}');
  const left = await run.left();
  assert.equal(left.code, 0);
  const final = run.final();
  assert.equal(final["stop_reason"], "workspace_conflict");
  assert.equal(final["detail"], "TASK.txt: missing");
  assert.equal(final["final_evaluation"], "workspace_conflict");
});

Deno.test("tinycoder writes nothing where a link in its folder's place leads", async () => {
  for (const part of ["backups", "workspace"]) {
    using folder = freshFolder();
    await using run = await StdioRun.begin(folder.path);
    const [read, , replace] = baseline as [string, string, string];
    await run.propose(read);
    await run.asked();
    const path = `${folder.path}/run/${part}`;
    fs.renameSync(path, `${folder.path}/elsewhere`);
    fs.symlinkSync("../elsewhere", path);
    const before = contentsOf(`${folder.path}/elsewhere`);
    await run.propose(replace);
    const left = await run.left();
    const { stop_reason, detail } = run.final();
    assert.deepEqual(
      [left.code, stop_reason, detail],
      part === "backups"
        ? [5, "harness_error", "backup: ELOOP"]
        : [0, "workspace_conflict", "TASK.txt: folder_moved"],
    );
    assert.deepEqual(contentsOf(`${folder.path}/elsewhere`), before);
  }
});

Deno.test("tinycoder closes no run beside another's audit", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  fs.renameSync(`${folder.path}/run`, `${folder.path}/moved`);
  fs.cpSync(`${folder.path}/moved`, `${folder.path}/run`, { recursive: true });
  await run.play(baseline);
  const left = await run.left();
  assertOneError(left, 5, 'run in "run"', "The audit was moved, or replaced");
  assert.ok(!fs.existsSync(`${folder.path}/run/final.json`));
});

Deno.test("tinycoder tells a proposer that its own evidence doesn't hold", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  fs.writeFileSync(`${folder.path}/run/added`, "");
  await run.play(baseline);
  const left = await run.left();
  assert.equal(left.code, 4, left.err);
  assert.equal(run.last()["evidence_holds"], false);
});

Deno.test("tinycoder completes a run whose result nobody reads", async () => {
  using folder = freshFolder();
  const versions = await versionsOf(folder.path);
  const child = launch(folder.path, ["--run", "run", "--quiet"]);
  await child.stdout.cancel();
  const [{ code }, err] = await Promise.all([
    child.status,
    new Response(child.stderr).text(),
  ]);
  assertOneError({ code, out: "", err }, 5, "Cannot write the result");
  const closed = await assertClosed(`${folder.path}/run`, versions);
  assert.equal(closed.stop, "finish_accepted");
});

Deno.test("tinycoder completes a run whose progress nobody reads", async () => {
  using folder = freshFolder();
  const child = launch(folder.path, ["--run", "run", "--json"]);
  await child.stderr.cancel();
  const [{ code }, out] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
  ]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out)["verified_success"], true);
});

Deno.test("tinycoder says that its output is full", async () => {
  using folder = freshFolder();
  const within = ["sh", "-c", 'exec "$@" >/dev/full', "sh"];
  const left = await tinycoder(folder.path, ["--run", "run", "--quiet"], {
    within,
  });
  assertOneError(
    left,
    5,
    "Cannot write the result: the disk or device that it goes to is full.\n",
    "The run is complete; see it: tinycoder show run\n",
  );
});

Deno.test("tinycoder replaces no final report that somebody else has put there", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  const path = `${folder.path}/run/final.json`;
  fs.writeFileSync(path, "{}");
  await run.propose('{"action":"read","file":"toy_math.py"}');
  run.signal("SIGINT");
  const { code, err } = await run.left();
  assert.equal(code, 5);
  assert.equal(
    err,
    'Cannot complete the run in "run": the run folder could not be written ' +
      "(something else was put under a name that the run writes).\n" +
      "What was recorded is kept; close it with: tinycoder recover run\n",
  );
  assert.equal(fs.readFileSync(path, "utf8"), "{}");
  assert.equal(fs.existsSync(`${path}.part`), false);
});

Deno.test("tinycoder recover says what was changed by hand, and claims nothing unchecked", async () => {
  using folder = freshFolder();
  const { path } = folder;
  const run = (...args: string[]) => tinycoder(path, args);
  assert.equal((await run("--run", "run", "--quiet")).code, 0);
  fs.appendFileSync(`${path}/run/workspace/toy_math.py`, "# by hand\n");
  const closed = await run("recover", "run");
  assert.deepEqual([closed.code, closed.err], [
    4,
    "The run has its final report: there was nothing to recover, and no file " +
    "was written.\n",
  ]);
  assert.match(closed.out, /claimed, but the evidence doesn't hold/);
  assert.match(closed.out, /NOT hold: workspace\/toy_math\.py: /);

  // As if its process had died after the last edit.
  const audit = fs.readFileSync(`${path}/run/audit.jsonl`, "utf8").split("\n");
  const edited = audit.findLastIndex((line) => line.includes("edit_committed"));
  fs.writeFileSync(
    `${path}/run/audit.jsonl`,
    `${audit.slice(0, edited + 2).join("\n")}\n`,
  );
  fs.rmSync(`${path}/run/final.json`);
  const recovered = await run("recover", "run");
  assert.deepEqual([recovered.code, recovered.err], [
    0,
    "Recovered: what was found is in recovery.jsonl.\n" +
    "  · the audit ends with a whole record\n" +
    "  · found that toy_math.py was changed from outside: its bytes are others\n" +
    "  · final evaluation of version 2: a managed file was changed\n",
  ]);
  assert.match(
    recovered.out,
    /not evaluated: a managed file was changed\n? *\(workspace_conflict\)/,
  );
  assert.match(
    recovered.out,
    /Verified success {2}no: a recovered run never is one\n/,
  );
});

Deno.test("tinycoder is cancelled by a proposer that closes its input", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  await run.closeOutput();
  await run.propose('{"action":"read","file":"toy_math.py"}');
  const { code } = await run.left();
  assert.equal(code, 130);
  const final = JSON.parse(
    fs.readFileSync(`${folder.path}/run/final.json`, "utf8"),
  );
  assert.equal(final["stop_reason"], "cancelled");
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`tinycoder seals its evidence at ${signal}`, async () => {
    using folder = freshFolder();
    const versions = await versionsOf(folder.path);
    await using run = await StdioRun.begin(folder.path);
    run.signal(signal);
    const { code } = await run.left();
    assert.equal(code, 130);
    assert.equal(run.final()["stop_reason"], "cancelled");
    const closed = await assertClosed(`${folder.path}/run`, versions);
    assert.deepEqual(closed, {
      recovered: false,
      stop: "cancelled",
      detail: null,
      evaluation: "performed",
      version: 0,
      tail: "clean",
    });
  });
}

Deno.test("tinycoder dies at a second SIGINT, whatever it waits for", async () => {
  using folder = freshFolder();
  // The pipe is full before the program writes to it, and nobody reads.
  const full = ["sh", "-c", 'head -c 65536 /dev/zero; exec "$@"', "sh"];
  const child = launch(folder.path, ["--run", "run", "--source", "stdio"], {
    within: full,
    stdin: "piped",
  });
  await appears(`${folder.path}/run/audit.jsonl`, child);
  child.kill("SIGINT");
  await appears(`${folder.path}/run/final.json`, child);
  child.kill("SIGINT");
  assert.equal((await child.status).signal, "SIGINT");
  await child.stdin.close();
  await child.stdout.cancel();
  await child.stderr.cancel();
});

Deno.test("tinycoder recover refuses a run that is alive", async () => {
  using folder = freshFolder();
  await using run = await StdioRun.begin(folder.path);
  const before = contentsOf(folder.path);
  const { created } = JSON.parse(
    fs.readFileSync(`${folder.path}/run/manifest.json`, "utf8"),
  );
  assertOneError(
    await tinycoder(folder.path, ["recover", "run"]),
    3,
    `the run that started at ${created} still holds its audit`,
  );
  assert.deepEqual(contentsOf(folder.path), before);
  await run.kill();
  const { code, err } = await tinycoder(folder.path, ["recover", "run"]);
  assert.equal(code, 0, err);
});

Deno.test("killSweep() closes baselines that were killed at random instants", async () => {
  const { outcomes, faults } = await killSweep({
    count: 10,
    trials: 0,
    seed: 20_260_101,
  });
  assert.deepEqual(faults, []);
  assert.equal(outcomes.total, 10);
});

/** Waits until a path exists, or the program that should make it is gone. */
async function appears(path: string, child: Deno.ChildProcess): Promise<void> {
  let gone = false;
  child.status.then(() => gone = true);
  while (!fs.existsSync(path)) {
    assert.ok(!gone, `The program ended without ${path}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
