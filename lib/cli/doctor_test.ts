import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import {
  assertOneError,
  OWN_MOUNTS,
  tinycoder,
  type Wrapping,
} from "../../tests/launched.ts";

/** What doctor says about one thing, and its exit code. */
async function told(
  cwd: string,
  about: string,
  args: readonly string[] = [],
  wrapping: Wrapping = {},
): Promise<readonly [number, string, string, string | null]> {
  const { code, out, err } = await tinycoder(
    cwd,
    ["doctor", "--json", ...args],
    wrapping,
  );
  assert.equal(err, "");
  const { findings } = JSON.parse(out);
  const { verdict, found, next } = findings.find((one: { about: string }) =>
    one.about === about
  );
  return [code, verdict, found, next];
}

const NO_RUN = "no run can be made here: ";

Deno.test("doctor() says that runs can be made here, and leaves nothing", async () => {
  using fresh = freshFolder();
  const [, ...folder] = await told(fresh.path, "Folder");
  assert.deepEqual(folder, [
    "ok",
    "runs can be made here; writing was tried",
    null,
  ]);
  assert.deepEqual([...Deno.readDirSync(fresh.path)], []);
});

Deno.test("doctor() stops where --run would be refused", async () => {
  using fresh = freshFolder();
  const deep = `${fresh.path}${"/d".repeat(20)}`;
  Deno.mkdirSync(deep, { recursive: true });
  for (const mark of ["repository/.git", "run/audit.jsonl"]) {
    const folder = `${fresh.path}/${mark}`.replace(/\/[^/]*$/, "");
    Deno.mkdirSync(`${folder}/below`, { recursive: true });
    Deno.writeTextFileSync(`${fresh.path}/${mark}`, "");
  }
  for (
    const [cwd, says] of [
      ["/", 'the current folder is "/"'],
      ["/proc", "Deno lets no program use the special folder"],
      [deep, "the current folder lies more than 16 folders deep"],
      [`${fresh.path}/repository`, 'it lies inside the repository "."'],
      [`${fresh.path}/repository/below`, 'it lies inside the repository ".."'],
      [`${fresh.path}/run`, '"." is another run\'s folder'],
    ]
  ) {
    const [code, verdict, found] = await told(cwd!, "Folder");
    assert.deepEqual([code, verdict], [3, "stop"]);
    assert.ok(found.startsWith(NO_RUN + says), found);
    const { err } = await tinycoder(cwd!, ["--run", "r"]);
    assert.ok(err.includes(says!), err);
  }
});

Deno.test("doctor() tries whether the disk takes anything", async () => {
  for (
    const [options, says] of [
      ["size=64k", "the disk is full"],
      ["size=1m,ro", "the disk is read-only"],
    ]
  ) {
    using fresh = freshFolder();
    Deno.mkdirSync(`${fresh.path}/disk`);
    const script = `mount -t tmpfs -o ${options} tmpfs disk && cd disk && ` +
      'exec "$@"';
    const within = [...OWN_MOUNTS, "sh", "-c", script, "sh"];
    const [code, verdict, found] = await told(fresh.path, "Folder", [], {
      within,
    });
    assert.deepEqual([code, verdict, found], [3, "stop", NO_RUN + says]);
  }
});

Deno.test("doctor() advises to take nothing out of a folder that is no model's", async () => {
  using fresh = freshFolder();
  for (
    const [entry, says, next] of [
      ["audit.jsonl", "this is a run's folder", "Choose another"],
      ["manifest.json", "this is a run's folder", "Choose another"],
      [
        "letter.txt",
        "it is no model folder: it has no acquisition.json, and the folder " +
        'holds "letter.txt"',
        "Choose another",
      ],
    ]
  ) {
    const name = `of-${entry}`;
    Deno.mkdirSync(`${fresh.path}/${name}`);
    Deno.writeTextFileSync(`${fresh.path}/${name}/${entry}`, "");
    assert.deepEqual(
      await told(fresh.path, "Model folder", ["--model-directory", name]),
      [3, "stop", says, next],
    );
  }
  Deno.writeTextFileSync(`${fresh.path}/of-letter.txt/acquisition.json`, "");
  assert.deepEqual(
    await told(fresh.path, "Model folder", [
      "--model-directory",
      "of-letter.txt",
    ]),
    [3, "stop", 'the folder holds "letter.txt"', "Take it away"],
  );
  assert.deepEqual(
    await told(fresh.path, "Model folder", ["--model-directory="]),
    [3, "stop", "its name is empty", "Name it: --model-directory DIR"],
  );
});

Deno.test("doctor() stops where a verified file isn't there as it was verified", async () => {
  using fresh = freshFolder();
  const fixtures = new URL("../../fixtures/checkpoint/", import.meta.url);
  fs.cpSync(new URL("tiny-qwen2", fixtures), `${fresh.path}/files`, {
    recursive: true,
  });
  const tiny = fs.readFileSync(new URL("tiny-qwen2.json", fixtures), "utf8");
  const origin = { repository: "owner/name", revision: "0".repeat(40) };
  fs.writeFileSync(
    `${fresh.path}/it.json`,
    JSON.stringify({ ...JSON.parse(tiny), ...origin }),
  );
  const it = ["--checkpoint", "it.json"];
  const acquired = await tinycoder(fresh.path, [
    ...["acquire", "--directory", "m", "--from", "files", "--yes", ...it],
  ]);
  assert.equal(acquired.code, 0, acquired.err);
  const args = ["--model-directory", "m", ...it];
  const model = () => told(fresh.path, "Model folder", args);
  const [, ...whole] = await model();
  assert.deepEqual(whole, ["ok", "5 of 5 files verified", null]);
  fs.rmSync(`${fresh.path}/m/config.json`);
  assert.deepEqual(await model(), [
    3,
    "stop",
    '"config.json" is gone since it was verified',
    "Take away what has its name, and bring the file back: tinycoder acquire " +
    "--directory m --from DIR",
  ]);
});

Deno.test("doctor() takes what a trial takes, where there is nothing to acquire", async () => {
  using fresh = freshFolder();
  const fixtures = new URL("../../fixtures/checkpoint/", import.meta.url);
  fs.cpSync(new URL("tiny-qwen2", fixtures), `${fresh.path}/m`, {
    recursive: true,
  });
  fs.cpSync(new URL("tiny-qwen2.json", fixtures), `${fresh.path}/it.json`);
  const it = ["--checkpoint", "it.json"];
  const model = () =>
    told(fresh.path, "Model folder", ["--model-directory", "m", ...it]);
  assert.deepEqual((await model()).slice(1), [
    "ok",
    "5 files as declared",
    null,
  ]);
  const [, , disk] = await told(fresh.path, "Disk", it);
  assert.match(disk, / bytes free here; a trial asks for 100,000,000 bytes$/);
  const [, , memory] = await told(fresh.path, "Memory", it);
  assert.match(memory, /; a trial is estimated to take [0-9,]+ bytes$/);
  assertOneError(
    await tinycoder(fresh.path, ["plan", ...it]),
    3,
    'Cannot plan an acquisition of the checkpoint "it.json": it names no ' +
      "repository: there is nothing to acquire.\nA trial can use it",
  );
  fs.appendFileSync(`${fresh.path}/m/config.json`, " ");
  const [code, verdict, found] = await model();
  assert.deepEqual([code, verdict], [3, "stop"]);
  assert.match(found, /^"config\.json" /);
});
