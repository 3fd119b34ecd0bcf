// deno-lint-ignore-file no-console -- a task speaks on the console
// Trials of a small network one after the other in one folder, each verified: the
// most memory that each program had, whether it grows, and whether anything is left
// over.
//
// usage: deno run -A tasks/memory_sweep.ts [TRIALS]

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { ENGINE_ROOT } from "../lib/model/engine.ts";
import { diskFiles } from "../lib/system/files.ts";
import { freshFolder } from "../tests/baseline_in_process.ts";
import { assertClosed } from "../tests/closed_run.ts";
import { tinycoder } from "../tests/launched.ts";
import { median } from "./bench/figures.ts";
import { TrialStage } from "./sweep/trial_stage.ts";
import { versionsIn } from "./sweep/whole_run.ts";
import { TaskUsage } from "./usage.ts";

/** Peaks of resident memory, in bytes, in the order of the trials. */
export interface Peaks {
  readonly trial: readonly number[];
  readonly verify: readonly number[];
}

/**
 * Conducts and verifies trials one after the other.
 *
 * @throws {assert.AssertionError} if anything is left over after one.
 */
export async function memorySweep(trials: number): Promise<Peaks> {
  using current = freshFolder();
  using aside = freshFolder();
  const stage = new TrialStage(current.path);
  const temporary = `${aside.path}/temporary`;
  fs.mkdirSync(temporary);
  const peaks = { trial: [] as number[], verify: [] as number[] };
  const measured = async (
    into: keyof Peaks,
    words: readonly string[],
  ): Promise<void> => {
    const told = `${aside.path}/peak`;
    const { code, err } = await tinycoder(stage.path, words, {
      within: ["env", `TMPDIR=${temporary}`, "python3", PEAK, told],
    });
    assert.equal(code, 0, err);
    peaks[into].push(Number(fs.readFileSync(told, "utf8")));
  };
  for (let number = 1; number <= trials; number++) {
    await measured("trial", [...stage.words("trial"), "--quiet"]);
    await measured("verify", ["verify", "trial"]);
    assertNothingLeft(stage, temporary);
    const folder = `${stage.path}/trial`;
    const closed = await assertClosed(folder, versionsIn(folder));
    assert.equal(closed.stop, "finish_accepted");
    fs.rmSync(folder, { recursive: true });
  }
  return peaks;
}

const PEAK = new URL("sweep/peak_memory.py", import.meta.url).pathname;

/** Neither files nor locks nor programs are left but the run's own files. */
function assertNothingLeft(stage: TrialStage, temporary: string): void {
  assert.deepEqual(fs.readdirSync(stage.path).sort(), [
    ENGINE_ROOT,
    "player",
    "player.json",
    "trial",
  ]);
  stage.assertEngine(true);
  stage.assertModel();
  assert.deepEqual(fs.readdirSync(temporary), []);
  const lock = diskFiles.lock(`${stage.path}/trial/audit.jsonl`);
  assert.notEqual(lock, null, "The audit is still locked");
  lock?.release();
  assert.deepEqual(programsIn(stage.path), []);
}

/** Programs whose current folder this is, by their ids. */
function programsIn(folder: string): string[] {
  return fs.readdirSync("/proc").filter((name) => {
    try {
      return /^[0-9]+$/.test(name) &&
        fs.readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      // It has ended, or it is somebody else's.
      return false;
    }
  });
}

if (import.meta.main) {
  const usage = new TaskUsage(import.meta.url);
  const trials = usage.whole("TRIALS", usage.operands(0, 1)[0], 50);
  const peaks = await memorySweep(trials);
  console.log(`${trials} trials one after the other, nothing left over by any`);
  for (const [what, bytes] of Object.entries(peaks)) {
    const half = Math.ceil(trials / 2);
    const shown = {
      least: Math.min(...bytes),
      median: median(bytes),
      most: Math.max(...bytes),
      "median of the first half": median(bytes.slice(0, half)),
      "of the second": median(bytes.slice(-half)),
    };
    const words = Object.entries(shown)
      .map(([name, value]) => `${name} ${(value / 1e6).toFixed(1)}`);
    console.log(`  ${what}, peak in MB: ${words.join(", ")}`);
  }
}
