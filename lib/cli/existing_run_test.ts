import assert from "node:assert/strict";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { systemError } from "../../tests/watched_files.ts";
import { diskFiles, type Files } from "../system/files.ts";
import { existingRun } from "./existing_run.ts";

/** Exit code and message of the refusal of `typed`. */
function refusal(typed: string, files: Files = diskFiles) {
  try {
    return existingRun(files, typed);
  } catch (error) {
    const { exitCode, message } = error as { exitCode: number } & Error;
    return [exitCode, message];
  }
}

Deno.test("existingRun() finds a folder's real path", () => {
  using fresh = freshFolder();
  const { path } = fresh;
  for (const mark of ["manifest.json", "audit.jsonl"]) {
    const folder = `${path}/of-${mark}`;
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(`${folder}/${mark}`, "");
    Deno.symlinkSync(folder, `${path}/link-${mark}`);
    assert.equal(existingRun(diskFiles, `${path}/./link-${mark}/`), folder);
  }
});

Deno.test("existingRun() says why there is none, and what to give", () => {
  using fresh = freshFolder();
  const { path } = fresh;
  Deno.writeTextFileSync(`${path}/file`, "");
  assert.deepEqual(refusal(`${path}/absent`), [
    3,
    `Cannot open the run "${path}/absent": there is no such folder.\n` +
    "Give the folder of a run.",
  ]);
  assert.deepEqual(refusal(`${path}/file`), [
    3,
    `Cannot open the run "${path}/file": it is not a folder.\n` +
    "Give the folder of a run.",
  ]);
  // Neither what a run makes later nor another program's files make it one.
  Deno.mkdirSync(`${path}/other`);
  Deno.writeTextFileSync(`${path}/other/final.json`, "{}");
  assert.deepEqual(refusal(`${path}/other`), [
    3,
    `Cannot open the run "${path}/other": it is no run's folder: it has ` +
    "neither manifest.json nor audit.jsonl.\nGive the folder of a run.",
  ]);
});

Deno.test("existingRun() tells a folder outside the program's rights from one that can't be read", () => {
  const failing = (error: Error): Files => ({
    ...diskFiles,
    realPath: () => {
      throw error;
    },
  });
  assert.deepEqual(refusal("../a", failing(new Deno.errors.NotCapable())), [
    3,
    'Cannot open the run "../a": it does not lie below the current folder.\n' +
    "Change to the folder that holds it, and give its name from there.",
  ]);
  assert.deepEqual(refusal("a\n", failing(systemError("EACCES"))), [
    3,
    'Cannot open the run "a\\u{a}": you may not read it.\n' +
    "Give the folder of a run that you may read.",
  ]);
});
