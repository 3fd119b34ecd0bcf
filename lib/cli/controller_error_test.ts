import assert from "node:assert/strict";
import type { ControllerFailure } from "../supervisor/messages.ts";
import { controllerError } from "./controller_error.ts";

/** Exit code and message for a failure of the run in `my runs/a`. */
function error(failure: ControllerFailure) {
  const { exitCode, message } = controllerError(failure, "my runs/a");
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
      'What was recorded is kept; close it with: tinycoder recover "my runs/a"',
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
