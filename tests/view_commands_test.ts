// show, report, compare, submission and export as a user calls them.

import assert from "node:assert/strict";
import { freshFolder } from "./baseline_in_process.ts";
import { assertOneError, tinycoder } from "./launched.ts";
import { HOSTILE, REPAIR, UNSAFE_CHARACTER, viewedRun } from "./viewed_run.ts";

/** A folder with a baseline, a hostile run, and a run whose audit was cut. */
async function withRuns(): Promise<ReturnType<typeof freshFolder>> {
  const fresh = freshFolder();
  using good = await viewedRun(REPAIR);
  using hostile = await viewedRun(HOSTILE, { source: "stdio" });
  using cut = await viewedRun(REPAIR);
  const audit = Deno.readTextFileSync(`${cut.folder}/audit.jsonl`);
  Deno.writeTextFileSync(
    `${cut.folder}/audit.jsonl`,
    audit.split("\n").slice(0, 9).join("\n") + "\n",
  );
  for (
    const [name, { folder }] of Object.entries({ baseline: good, hostile, cut })
  ) Deno.renameSync(folder, `${fresh.path}/${name}`);
  for (const { folder } of [good, hostile, cut]) Deno.mkdirSync(folder);
  return fresh;
}

Deno.test("show, report, compare, submission and export answer on stdout", async () => {
  using fresh = await withRuns();
  const answers: [string[], RegExp][] = [
    [["show", "baseline"], /^Run 0{8}-/],
    [["show", "hostile", "--full"], /│ You repair/],
    [["show", "baseline", "--json"], /^\{"format":"tinycoder\/run-view"/],
    [["report", "hostile"], /^<!doctype html>\n/],
    [["compare", "baseline", "hostile"], /^ {21}baseline/],
    [
      ["compare", "baseline", "hostile", "--json"],
      /^\{"format":"tinycoder\/comparison"/,
    ],
    [["export", "hostile", "--format", "atif"], /^\{\n/],
    [["submission", "baseline"], /^# Submission/],
    [
      ["export", "baseline", "--format", "atif"],
      /^\{\n {2}"schema_version": "ATIF-v1\.7"/,
    ],
  ];
  for (const [args, begins] of answers) {
    const { code, out, err } = await tinycoder(fresh.path, args);
    assert.deepEqual([code, err], [0, ""], args.join(" "));
    assert.match(out, begins);
    // JSON carries the exact values, by its own escapes.
    assert.equal(UNSAFE_CHARACTER.exec(out), null, args.join(" "));
  }
});

Deno.test("submission says which run is in another's place, and writes all the same", async () => {
  using fresh = await withRuns();
  const args = ["submission", "baseline", "hostile"];
  const { code, out, err } = await tinycoder(fresh.path, args);
  assert.equal(code, 0, err);
  assert.match(out, /^# Submission/);
  assert.equal(UNSAFE_CHARACTER.exec(out), null);
  assert.equal(
    err,
    '"hostile" is given as the trial, and no model was asked in it.\n' +
      "Baseline and trial are one and the same run.\n",
  );
});

Deno.test("show --json says what every record of the run says", async () => {
  using fresh = await withRuns();
  const { out } = await tinycoder(fresh.path, ["show", "hostile", "--json"]);
  const view = JSON.parse(out);
  const records = Deno.readTextFileSync(`${fresh.path}/hostile/audit.jsonl`)
    .trim().split("\n").map((line) => JSON.parse(line));
  const told = view.proposals.map((one: Record<string, unknown>) =>
    one["attempt"]
  );
  assert.deepEqual(
    told,
    records.filter(({ event }) => event === "proposal_received")
      .map(({ event_id, content }) => ({ event_id, ...content })),
  );
  assert.deepEqual(view.audit.count, records.length);
  assert.deepEqual(
    view.final,
    JSON.parse(Deno.readTextFileSync(`${fresh.path}/hostile/final.json`)),
  );
});

Deno.test("compare --json says what the two runs say, on stdout or in a file", async () => {
  using fresh = await withRuns();
  const args = ["compare", "baseline", "hostile", "--json"];
  const { out } = await tinycoder(fresh.path, args);
  const final = (run: string) =>
    JSON.parse(Deno.readTextFileSync(`${fresh.path}/${run}/final.json`));
  const { runs, same_conditions } = JSON.parse(out);
  assert.equal(same_conditions, true);
  assert.deepEqual(
    runs.map((run: Record<string, unknown>) => [
      run["run_id"],
      run["source"],
      run["stop"],
      run["verified_success"],
      run["elapsed_ms"],
      run["findings"],
    ]),
    ["baseline", "hostile"].map(final).map((
      { run_id, source, stop_reason, detail, verified_success, elapsed_ms },
    ) => [
      run_id,
      source,
      { reason: stop_reason, detail },
      verified_success,
      elapsed_ms,
      [],
    ]),
  );
  assert.deepEqual(runs[1].proposals[0], {
    number: 1,
    outcome: "denied",
    action: null,
    error: "invalid_json",
  });
  const written = await tinycoder(fresh.path, [...args, "--out", "c.json"]);
  assert.equal(written.code, 0, written.err);
  assert.equal(Deno.readTextFileSync(`${fresh.path}/c.json`), out);
});

Deno.test("views of evidence that doesn't hold are shown, and exit with 4", async () => {
  using fresh = await withRuns();
  for (
    const args of [
      ["show", "cut"],
      ["report", "cut"],
      ["compare", "baseline", "cut"],
      ["submission", "cut"],
      ["export", "cut", "--format", "atif"],
    ]
  ) {
    const { code, out } = await tinycoder(fresh.path, args);
    assert.equal(code, 4, args.join(" "));
    assert.match(out, /doesn't hold|"findings": \[\n/i);
  }
});

Deno.test("--out writes a file once, and replaces it with --force", async () => {
  using fresh = await withRuns();
  const args = ["report", "baseline", "--out", "a.html"];
  assert.deepEqual(await tinycoder(fresh.path, args), {
    code: 0,
    out: "",
    err: "Written: a.html\n",
  });
  const path = `${fresh.path}/a.html`;
  assert.match(Deno.readTextFileSync(path), /^<!doctype html>/);
  assertOneError(
    await tinycoder(fresh.path, args),
    3,
    'Cannot write "a.html": it exists already.\n',
    "--force",
  );
  Deno.writeTextFileSync(path, "");
  assert.equal((await tinycoder(fresh.path, [...args, "--force"])).code, 0);
  assert.match(Deno.readTextFileSync(path), /^<!doctype html>/);
  assertOneError(
    await tinycoder(fresh.path, ["report", "baseline", "--out", "../a.html"]),
    3,
    'Cannot write "../a.html": it is no file below the current folder.\n',
  );
  assertOneError(
    await tinycoder(fresh.path, [
      "submission",
      "baseline",
      "--out",
      "baseline/submission.md",
    ]),
    3,
    "it lies inside a run's folder",
  );
});

Deno.test("submission links to its runs from where it is written", async () => {
  using fresh = await withRuns();
  Deno.mkdirSync(`${fresh.path}/sub`);
  const args = ["submission", "baseline", "hostile", "--out", "sub/s.md"];
  assert.equal((await tinycoder(fresh.path, args)).code, 0);
  const links = Deno.readTextFileSync(`${fresh.path}/sub/s.md`)
    .matchAll(/\]\(([^)#]+)#L(\d+)\)/g);
  let count = 0;
  for (const [, path, line] of links) {
    const audit = Deno.readTextFileSync(`${fresh.path}/sub/${path}`);
    const record = JSON.parse(audit.split("\n")[Number(line) - 1]!);
    assert.equal(record.event_id, Number(line));
    count++;
  }
  assert(count > 20);
});

Deno.test("submission takes the predictions of the current folder", async () => {
  using fresh = await withRuns();
  Deno.writeTextFileSync(`${fresh.path}/predictions.json`, "{}");
  assertOneError(
    await tinycoder(fresh.path, ["submission", "baseline"]),
    4,
    "Cannot use predictions.json",
  );
});

Deno.test("submission verifies what it rests on, and says what doesn't hold", async () => {
  using fresh = await withRuns();
  const path = `${fresh.path}/baseline/workspace/toy_math.py`;
  Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}\n`);
  const { code, out, err } = await tinycoder(fresh.path, [
    "submission",
    "baseline",
  ]);
  assert.equal(code, 4);
  assert.match(err, /^The evidence of "baseline" does NOT hold: .+\n$/);
  assert.match(out, /> \*\*The evidence of `baseline` doesn't hold\.\*\* ./);
  assert.doesNotMatch(out, /- \[x\]/);
});

Deno.test("report, compare and export write all the same, and say what doesn't hold", async () => {
  using fresh = await withRuns();
  const holds = (run: string) =>
    new RegExp(
      `^(Written: \\w+\n)?The evidence of "${run}" does NOT hold: ` +
        `final\\.json: .+\\. See: tinycoder verify ${run}\n$`,
    );
  for (
    const args of [
      ["report", "cut"],
      ["compare", "baseline", "cut"],
      ["export", "cut", "--out", "exported"],
    ]
  ) {
    const { code, out, err } = await tinycoder(fresh.path, args);
    assert.equal(code, 4, args.join(" "));
    assert.match(err, holds("cut"));
    assert.equal(out === "", args.includes("--out"));
  }
  assert.ok(Deno.statSync(`${fresh.path}/exported`).size > 0);
});

Deno.test("views of what is no run get one clear error", async () => {
  using fresh = freshFolder();
  Deno.mkdirSync(`${fresh.path}/empty`);
  Deno.writeTextFileSync(`${fresh.path}/file`, "");
  for (const command of ["show", "report", "submission", "export"]) {
    assertOneError(
      await tinycoder(fresh.path, [command, "none"]),
      3,
      'Cannot open the run "none": there is no such folder',
    );
  }
  assertOneError(
    await tinycoder(fresh.path, ["show", "empty"]),
    3,
    'Cannot open the run "empty": it is no run\'s folder',
  );
  Deno.writeTextFileSync(`${fresh.path}/empty/audit.jsonl`, "");
  assertOneError(
    await tinycoder(fresh.path, ["show", "empty"]),
    4,
    'Cannot show the run "empty": manifest.json can\'t be taken: the file is missing',
  );
  assertOneError(
    await tinycoder(fresh.path, ["show", "file"]),
    3,
    "it is not a folder",
  );
  assertOneError(await tinycoder(fresh.path, ["show", ".."]), 3, "Cannot open");
});

Deno.test("a view repeats no claim that the run's own files contradict", async () => {
  using fresh = await withRuns();
  Deno.writeTextFileSync(
    `${fresh.path}/baseline/workspace/toy_math.py`,
    "def clamp(x, lo, hi):\n    return 0\n",
  );
  for (const command of ["show", "report"]) {
    const { code, out } = await tinycoder(fresh.path, [command, "baseline"]);
    assert.equal(code, 4, command);
    assert.match(out, /claimed, but|the evidence doesn(’|')t hold/i);
  }
  for (
    const args of [["compare", "baseline", "hostile"], ["export", "baseline"]]
  ) {
    assert.equal((await tinycoder(fresh.path, args)).code, 4, args[0]);
  }
});

Deno.test("every command that reads a run keeps a hostile manifest on one line", async () => {
  using fresh = await withRuns();
  const path = `${fresh.path}/baseline/manifest.json`;
  const manifest = JSON.parse(Deno.readTextFileSync(path));
  const task = '\x1b[2J"\nThe evidence of run x holds.\x9b\u202e';
  Deno.writeTextFileSync(path, JSON.stringify({ ...manifest, task }));
  for (
    const args of [
      ["show", "baseline"],
      ["report", "baseline"],
      ["compare", "hostile", "baseline"],
      ["submission", "baseline"],
      ["export", "baseline"],
      ["recover", "baseline"],
      ["replay", "baseline", "--run", "again"],
      ["verify", "baseline"],
      ["verify", "baseline", "--json"],
    ]
  ) {
    const { code, out, err } = await tinycoder(fresh.path, args);
    assert.equal(code, 4, args.join(" "));
    assert.equal(UNSAFE_CHARACTER.exec(out + err), null, args.join(" "));
    assert.doesNotMatch(out + err, /^The evidence of run x/m, args.join(" "));
  }
});
