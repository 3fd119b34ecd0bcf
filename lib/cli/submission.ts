// `tinycoder submission BASELINE [TRIAL]`: submission.md, as far as evidence can
// write it.

import { posix } from "node:path";
import { canonicalJson } from "../evidence/audit_record.ts";
import { FINAL_NAME } from "../evidence/final_report.ts";
import type { RunView } from "../evidence/run_view.ts";
import { HELD_OUT_CASES, PUBLIC_CASES } from "../lab/cases.ts";
import { INITIAL_SOURCE, TASK_TEXT } from "../lab/managed_files.ts";
import {
  PREDICTIONS_NAME,
  readPredictions,
  type RecordedPredictions,
} from "../lab/predictions.ts";
import { submission as submissionText } from "../lab/submission/submission.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import { showSafely } from "../system/safe_text.ts";
import { sha256 } from "../system/sha256.ts";
import type { Invocation } from "./command.ts";
import { madeOfViews, openCheckedView } from "./lab_view.ts";
import { quoteTyped } from "./quote_typed.ts";
import { placeFaults } from "./submission_places.ts";
import { submittedRun } from "./submitted_run.ts";
import type { Terminal } from "./terminal.ts";
import { deliver } from "./written_result.ts";

/** The predictions kept in the current folder, where `predict` puts them. */
function recordedPredictions(): readonly RecordedPredictions[] {
  const read = readPredictions(diskFiles, diskFiles.realPath("."));
  if (read.ok) return read.recorded;
  throw new CommandError(EXIT.evidence, {
    what: `Cannot use ${PREDICTIONS_NAME}`,
    why: read.why,
    next: "Keep that file elsewhere, or start where there is none.",
  });
}

/** What speaks first against a run, as a clause; null where it holds. */
function faultOf({ state, findings }: RunView): string | null {
  const [finding] = findings;
  if (finding !== undefined) return `${finding.file}: ${finding.message}`;
  return state === "unfinished"
    ? `${FINAL_NAME}: the run has no final report; it has not ended, or its ` +
      'process died, and "tinycoder recover" closes it'
    : null;
}

/** Writes a submission; exits with 4 where evidence doesn't fit together. */
export async function submission(
  invocation: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const [baseline = "", trial] = invocation.operands;
  const { out } = invocation.options;
  const from = posix.dirname(typeof out === "string" ? out : "submission.md");
  const opened: { typed: string; view: RunView }[] = [];
  const open = async (typed: string) => {
    const view = await openCheckedView(diskFiles, typed);
    opened.push({ typed, view });
    return submittedRun(view, {
      name: typed,
      audit: posix.join(posix.relative(from, typed), "audit.jsonl"),
      fault: faultOf(view),
    });
  };
  const runs = {
    baseline: await open(baseline),
    trial: trial === undefined ? null : await open(trial),
  };
  const predictions = recordedPredictions();
  const text = madeOfViews(opened, () =>
    submissionText({
      ...runs,
      predictions,
      expected: {
        cases: {
          public_cases: sha256(canonicalJson(PUBLIC_CASES)),
          held_out_cases: sha256(canonicalJson(HELD_OUT_CASES)),
        },
        files: {
          "TASK.txt": sha256(TASK_TEXT),
          "toy_math.py": sha256(INITIAL_SOURCE),
        },
      },
    }));
  deliver(diskFiles, text, invocation, terminal);
  for (const fault of placeFaults(runs.baseline, runs.trial)) {
    terminal.note(`${fault}\n`);
  }
  for (
    const run of [runs.baseline, ...runs.trial === null ? [] : [runs.trial]]
  ) {
    if (run.holds) continue;
    terminal.note(
      `The evidence of ${quoteTyped(run.name)} does NOT hold: ${
        showSafely(run.fault ?? "")
      }\n`,
    );
  }
  return runs.baseline.holds && runs.trial?.holds !== false
    ? EXIT.done
    : EXIT.evidence;
}
