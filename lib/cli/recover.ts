// `tinycoder recover RUN`: closes the evidence of a run whose process died.

import type { JsonObject } from "../agent/json.ts";
import { recoverRun } from "../evidence/recovery.ts";
import { RECOVERY_NAME } from "../evidence/recovery_records.ts";
import { RecoveryRefusal } from "../evidence/read_manifest.ts";
import { loopEventWords } from "../evidence/run_words.ts";
import { threadClock } from "../system/clock.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { isDenied } from "../system/error_code.ts";
import { diskFiles, errorCode } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { showSafely } from "../system/safe_text.ts";
import { systemWords } from "../system/system_words.ts";
import type { Invocation } from "./command.ts";
import { existingRun } from "./existing_run.ts";
import { evidenceOf } from "./lab_evidence.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { openRunView } from "./lab_view.ts";
import { printedJson } from "./printed_json.ts";
import { quoteTyped } from "./quote_typed.ts";
import { runSummary } from "./run_summary.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";
import { ownVerdict, verifyFolder } from "./verify.ts";

/** Explains a run, and edits nothing but its own two files. */
export async function recover(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const folder = existingRun(diskFiles, typed);
  const { already, final } = await recovered(folder, typed);
  const verified = await verifyFolder(diskFiles, folder, typed);
  const verdict = ownVerdict(verified);
  const { holds } = verified;
  const done = already
    ? "The run has its final report: there was nothing to recover, and no " +
      "file was written."
    : `Recovered: what was found is in ${RECOVERY_NAME}.`;
  terminal.note(`${done}\n`);
  if (!already) terminal.note(foundLines(typed));
  if (options["json"]) {
    if (!holds) terminal.note(`${verdict}\n`);
    tellDone(terminal, printedJson(final), done);
  } else {
    const { outColor } = terminal;
    const text = runSummary(final, typed, outColor, { verdict, holds });
    tellDone(terminal, text, done);
  }
  return holds ? EXIT.done : EXIT.evidence;
}

async function recovered(
  folder: string,
  typed: string,
): Promise<{ already: boolean; final: JsonObject }> {
  const what = `Cannot recover the run ${quoteTyped(typed)}`;
  try {
    return await recoverRun({
      files: diskFiles,
      folder,
      clock: threadClock(),
      evidenceOf: evidenceOf(diskFiles, folder),
    });
  } catch (error) {
    if (error instanceof RecoveryRefusal) {
      const [code, next] = REMEDIES[error.reason];
      throw new CommandError(code, { what, why: error.message, next });
    }
    if (error instanceof CommandError) throw error;
    throw new CommandError(isDenied(error) ? EXIT.refused : EXIT.harness, {
      what,
      why: faultWords(error),
      next: "Its audit stays as it is; mend that, then recover again.",
    }, error);
  }
}

/** What recovery recorded, a line each. */
function foundLines(typed: string): string {
  return openRunView(diskFiles, typed).recovered
    .filter(({ event }) => event !== "run_recovered")
    .map((record) =>
      LAB_WORDS.event(record) ?? loopEventWords(record.event, record.content)
    )
    .filter((words) => words !== null)
    .map((words) => `  · ${showSafely(words)}\n`).join("");
}

/** Recovery reads the run and writes beside it; either can fail. */
function faultWords(error: unknown): string {
  const code = errorCode(error);
  if (["EACCES", "EPERM"].includes(code)) {
    return "you may not both read and write it";
  }
  if (code === "EEXIST") return "something else was put there meanwhile";
  const reading = ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENXIO"];
  return reading.includes(code)
    ? `one of its files can't be read: ${readWords(error)}`
    : systemWords(error).why;
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
