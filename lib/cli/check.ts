// `tinycoder check`: the expression boundary, a line at a time, so that anyone
// can compare it with a real Python.

import { answerCheckLine } from "../lab/answer_check_line.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { answerLines } from "./answer_lines.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Answers expressions and whole sources. */
export async function check(
  _invocation: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  await answerLines(answerCheckLine, "code", terminal);
  return EXIT.done;
}
