// What speaks against the runs that somebody gives as baseline and trial. It is
// said, and not refused: the submission tells of each run what it is.

import type { SubmittedRun } from "../lab/submission/submitted_run.ts";
import { quoteTyped } from "./quote_typed.ts";

/** What doesn't fit, a sentence each; none where both are what they should be. */
export function placeFaults(
  baseline: Pick<SubmittedRun, "name" | "runId" | "source">,
  trial: Pick<SubmittedRun, "name" | "runId" | "source"> | null,
): string[] {
  const faults: string[] = [];
  if (baseline.source !== "scripted") {
    faults.push(
      `${quoteTyped(baseline.name)} is given as the baseline, and isn't the ` +
        "scripted one.",
    );
  }
  if (trial === null) return faults;
  if (trial.source !== "model") {
    faults.push(
      `${
        quoteTyped(trial.name)
      } is given as the trial, and no model was asked ` +
        "in it.",
    );
  }
  if (trial.runId === baseline.runId) {
    faults.push("Baseline and trial are one and the same run.");
  }
  return faults;
}
