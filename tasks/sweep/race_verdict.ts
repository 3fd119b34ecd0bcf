// What may become of a run whose files another process changes: never a success
// over bytes that weren't evaluated, always something that a person can read.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { JsonObject } from "../../lib/agent/json.ts";
import { verifyFolder } from "../../lib/cli/verify.ts";
import { CommandError } from "../../lib/system/command_error.ts";
import { diskFiles } from "../../lib/system/files.ts";
import { assertClosed, digestOf } from "../../tests/closed_run.ts";
import { assertOneError, type Left, tinycoder } from "../../tests/launched.ts";
import type { Hits } from "./race_adversary.ts";

/** A run that was attacked, after the attacker came to rest. */
export interface AttackedRun {
  /** The current folder; the run is in its folder `run`. */
  readonly cwd: string;
  readonly left: Left;
  /** What was changed, after the run's end too. */
  readonly changed: Hits;
  /** Whether the changes were such that no run need notice them. */
  readonly harmless: boolean;
  /** The source's bytes by version, as an undisturbed run makes them. */
  readonly versions: readonly string[];
}

/**
 * Judges an attacked run.
 *
 * @returns Its outcome, in words.
 * @throws {assert.AssertionError} where it is none that may be.
 */
export async function judgeAttackedRun(run: AttackedRun): Promise<string> {
  const { left, changed, harmless } = run;
  const outcome = await judge(run);
  if (changed.hits === 0 || harmless) assert.match(outcome, /^success, and/);
  assert.doesNotMatch(left.err, STACK);
  return outcome;
}

const STACK = /^\s+at |file:\/\/|Error:|backtrace|panicked/m;

async function judge(run: AttackedRun): Promise<string> {
  const { left: { code, out, err } } = run;
  switch (code) {
    case 0:
      assert.equal(err, "");
      return await judgeEnded(run, JSON.parse(out));
    case 4:
      assert.match(err, /^The evidence does NOT hold: [^\n]+\n$/);
      // Whatever its report says, it has said that it can't be believed.
      return JSON.parse(out)["verified_success"] === true
        ? "its own verification refused its success"
        : "its own verification refused its evidence";
    case 5:
      if (out !== "") {
        assert.equal(err, "");
        return await judgeEnded(run, JSON.parse(out));
      }
      assertOneError(run.left, 5);
      return `it could not complete, and ${await recovered(run)}`;
    default:
      assertOneError(run.left, 3);
      return "refused at its start";
  }
}

/** A run that ended and found its own evidence to hold. */
async function judgeEnded(
  run: AttackedRun,
  report: JsonObject,
): Promise<string> {
  const { cwd, versions } = run;
  const holds = await verifies(cwd);
  if (!holds) assertChangedLater(run);
  const later = holds ? "verify agrees" : "verify finds a change after its end";
  const { stop_reason, final_evaluation, verified_success, sha256 } = report;
  if (verified_success !== true) {
    return `${stop_reason}, evaluation ${final_evaluation}, and ${later}`;
  }
  assert.equal(stop_reason, "finish_accepted");
  // What was evaluated, by the report, is what an undisturbed run makes.
  assert.equal(sha256, digestOf(versions[2] ?? ""));
  const path = `${cwd}/run/workspace/toy_math.py`;
  if (holds) {
    assert.deepEqual(fs.readFileSync(path, "utf8"), versions[2]);
    const closed = await assertClosed(`${cwd}/run`, versions);
    assert.equal(closed.recovered, false);
  }
  return `success, and ${later}`;
}

/** The run verified itself last: what `verify` refuses now came after that. */
function assertChangedLater({ cwd, changed }: AttackedRun): void {
  const final = fs.lstatSync(`${cwd}/run/final.json`, {
    throwIfNoEntry: false,
  });
  const endedMs = final?.mtimeMs ?? 0;
  // Both in whole milliseconds: the system's file times are no finer.
  assert.ok(
    changed.lastMs !== null && changed.lastMs >= Math.floor(endedMs),
    "Nobody changed after its end what verify refuses",
  );
}

/** What `verify` says; every tenth time the command itself is asked as well. */
async function verifies(cwd: string): Promise<boolean> {
  const holds = await verifyFolder(diskFiles, `${cwd}/run`, "run").then(
    (verification) => verification.holds,
    (error) => {
      if (!(error instanceof CommandError)) throw error;
      return false;
    },
  );
  if (++asked % 10 === 0) {
    const { code, err } = await tinycoder(cwd, ["verify", "run"]);
    assert.equal(code === 0, holds, err);
    assert.doesNotMatch(err, STACK);
  }
  return holds;
}

let asked = 0;

/** What `recover` makes of a run that couldn't complete. */
async function recovered({ cwd }: AttackedRun): Promise<string> {
  const left = await tinycoder(cwd, ["recover", "run", "--json"]);
  assert.doesNotMatch(left.err, STACK);
  if (left.out === "") {
    assertOneError(left, left.code);
    assert.ok([3, 4, 5].includes(left.code), left.err);
    return "its recovery was refused";
  }
  // A report that was published before is left as it is.
  const { recovered, verified_success } = JSON.parse(left.out);
  if (recovered) assert.equal(verified_success, false);
  assert.equal(left.code, await verifies(cwd) ? 0 : 4, left.err);
  return (recovered ? "it was recovered" : "its report was there already") +
    (left.code === 0 ? "" : ", with a warning");
}
