// `tinycoder submission BASELINE [TRIAL]`: submission.md, as far as evidence can
// write it.

import { posix } from "node:path";
import { canonicalJson } from "../evidence/audit_record.ts";
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
import { sha256 } from "../system/sha256.ts";
import type { Invocation } from "./command.ts";
import { openRunView } from "./lab_view.ts";
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

/** Writes a submission; exits with 4 where evidence doesn't fit together. */
export function submission(
  invocation: Invocation,
  terminal: Terminal,
): ExitCode {
  const [baseline = "", trial] = invocation.operands;
  const { out } = invocation.options;
  const from = posix.dirname(typeof out === "string" ? out : "submission.md");
  const open = (typed: string) =>
    submittedRun(
      openRunView(diskFiles, typed),
      typed,
      posix.join(posix.relative(from, typed), "audit.jsonl"),
    );
  const runs = {
    baseline: open(baseline),
    trial: trial === undefined ? null : open(trial),
  };
  const text = submissionText({
    ...runs,
    predictions: recordedPredictions(),
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
  });
  deliver(diskFiles, text, invocation, terminal);
  return runs.baseline.holds && runs.trial?.holds !== false
    ? EXIT.done
    : EXIT.evidence;
}
