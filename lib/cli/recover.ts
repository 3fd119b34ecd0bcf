// `tinycoder recover RUN`: closes the evidence of a run whose process died.

import { recoverRun } from "../evidence/recovery.ts";
import { RecoveryRefusal } from "../evidence/read_manifest.ts";
import { threadClock } from "../system/clock.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles, errorCode } from "../system/files.ts";
import type { Invocation } from "./command.ts";
import { evidenceOf } from "./lab_evidence.ts";
import { existingRun } from "./existing_run.ts";
import { runSummary } from "./run_summary.ts";
import type { Terminal } from "./terminal.ts";

/** Explains a run, and edits nothing but its own two files. */
export async function recover(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const folder = existingRun(diskFiles, typed);
  const what = `Cannot recover the run ${JSON.stringify(typed)}`;
  try {
    const { already, final } = await recoverRun({
      files: diskFiles,
      folder,
      clock: threadClock(),
      evidenceOf: evidenceOf(diskFiles, folder),
    });
    terminal.note(
      already
        ? "The run has its final report; nothing was changed.\n"
        : "Recovered: what was found is in recovery.jsonl.\n",
    );
    terminal.out(
      options["json"]
        ? `${JSON.stringify(final)}\n`
        : runSummary(final, typed, terminal.outColor),
    );
    return EXIT.done;
  } catch (error) {
    if (error instanceof RecoveryRefusal) {
      const [code, next] = REMEDIES[error.reason];
      throw new CommandError(code, { what, why: error.message, next });
    }
    if (error instanceof CommandError) throw error;
    throw new CommandError(EXIT.harness, {
      what,
      why: `the system answered ${errorCode(error)}`,
      next: "Nothing of the run was changed; mend that, then recover again.",
    }, error);
  }
}

const REMEDIES = {
  no_manifest: [
    EXIT.evidence,
    "It died before it was sealed: nothing was edited. Start a fresh run.",
  ],
  unknown_task: [EXIT.evidence, "Use the version that made the run."],
  still_running: [EXIT.refused, "Wait until it has ended."],
  evidence_differs: [
    EXIT.evidence,
    "Keep the folder as it is; its evidence was changed.",
  ],
} as const;
