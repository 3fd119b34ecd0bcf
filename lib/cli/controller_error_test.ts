import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import type { ControllerFailure } from "../supervisor/messages.ts";
import { diskFiles, type Files } from "../system/files.ts";
import {
  controllerError,
  type RunRemains,
  runRemains,
} from "./controller_error.ts";

/** Exit code and message for a failure of the run in `my runs/a`. */
function error(
  failure: ControllerFailure,
  remains: RunRemains = "evidence",
) {
  const { exitCode, message } = controllerError(failure, "my runs/a", remains);
  return [exitCode, message];
}

Deno.test("controllerError() refuses a run whose room has an open wall", () => {
  assert.deepEqual(
    error({ reason: "not_enforced", message: "the walls are open: net" }),
    [
      3,
      'Cannot start the run in "my runs/a": the walls are open: net.\n' +
      "Run tinycoder with the Deno version it was made for.",
    ],
  );
});

Deno.test("controllerError() says what to do with the evidence of any other failure", () => {
  for (const reason of ["folder", "audit", "crashed", "silent"] as const) {
    assert.deepEqual(error({ reason, message: "it stopped" }), [
      5,
      'Cannot complete the run in "my runs/a": it stopped.\n' +
      "What was recorded is kept; close it with: tinycoder recover 'my runs/a'",
    ]);
  }
});

Deno.test("controllerError() puts the system's code in words where it has some", () => {
  const because = (code: string) => {
    const [, message] = error({ reason: "audit", message: "no record", code });
    return String(message).split("\n")[0]?.slice(40);
  };
  assert.deepEqual(["ENOSPC", "EROFS", "EXDEV"].map(because), [
    "no record (the disk is full).",
    "no record (the disk is read-only).",
    "no record (EXDEV).",
  ]);
});

Deno.test("controllerError() promises no recovery where there is nothing to recover", () => {
  const next = (remains: RunRemains) =>
    String(error({ reason: "audit", message: "it stopped" }, remains)[1])
      .split("\n")[1];
  assert.equal(
    next("nothing"),
    "Nothing was recorded, and nothing edited. Start a fresh run.",
  );
  assert.equal(
    next("no folder"),
    "Look where its folder went: what was recorded is in it. Where it is " +
      "gone, start a fresh run.",
  );
});

Deno.test("runRemains() tells a sealed run from an empty folder, and from none", () => {
  using fresh = freshFolder();
  const folder = `${fresh.path}/run`;
  assert.equal(runRemains(diskFiles, folder), "no folder");
  fs.mkdirSync(folder);
  assert.equal(runRemains(diskFiles, folder), "nothing");
  fs.writeFileSync(`${folder}/manifest.json`, "{}");
  assert.equal(runRemains(diskFiles, folder), "evidence");
  const denied: Files = {
    ...diskFiles,
    facts: () => {
      throw Object.assign(new Error("denied"), { code: "EACCES" });
    },
  };
  assert.equal(runRemains(denied, folder), "nothing");
});
