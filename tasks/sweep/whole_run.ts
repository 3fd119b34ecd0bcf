// An undisturbed baseline, to hold killed and attacked ones against.

import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { measureSpans, type Spans, type Victim } from "./killed_program.ts";

/** What an undisturbed baseline is like. */
export interface WholeRun {
  readonly spans: Spans;
  /** The source's bytes by version. */
  readonly versions: readonly string[];
}

/**
 * Conducts a baseline, undisturbed and with everything in the system's caches.
 *
 * @throws {assert.AssertionError} if it doesn't end well.
 */
export async function wholeBaseline(): Promise<WholeRun> {
  using folder = freshFolder();
  await measureSpans(baseline(folder.path, "warm-up"));
  const spans = await measureSpans(baseline(folder.path));
  return { spans, versions: versionsIn(`${folder.path}/run`) };
}

/** A baseline in a current folder. */
export function baseline(cwd: string, run = "run"): Victim {
  return { cwd, args: ["--run", run, "--quiet"], run };
}

/** The source's bytes by version, from the folder of a run that completed. */
export function versionsIn(run: string): readonly string[] {
  return [
    "backups/toy_math.py.v0",
    "backups/toy_math.py.v1",
    "workspace/toy_math.py",
  ].map((name) => fs.readFileSync(`${run}/${name}`, "utf8"));
}
