// What a command that writes a result says of runs whose evidence doesn't hold:
// the result itself may be nowhere in sight.

import type { RunView } from "../evidence/run_view.ts";
import { showSafely } from "../system/safe_text.ts";
import { shellWord } from "../system/shell_word.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { quoteTyped } from "./quote_typed.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Notes, for each run with a finding, the first one and its place.
 *
 * @param typed A run's folder, as typed.
 * @returns Whether the evidence of all of them holds, as an exit code.
 */
export function tellBroken(
  runs: readonly { readonly view: RunView; readonly typed: string }[],
  terminal: Terminal,
): ExitCode {
  let code: ExitCode = EXIT.done;
  for (const { view: { findings: [finding] }, typed } of runs) {
    if (finding === undefined) continue;
    const { file, line, message } = finding;
    const place = line === null ? file : `${file}, line ${line}`;
    terminal.note(
      `The evidence of ${quoteTyped(typed)} does NOT hold: ${
        showSafely(`${place}: ${message}`)
      }. See: tinycoder verify ${shellWord(typed)}\n`,
    );
    code = EXIT.evidence;
  }
  return code;
}
