// An explicit yes to what was shown, typed or by flag (lab Parts 1 and 5).

import type { Terminal } from "./terminal.ts";
import { typedLine, type Unanswered } from "./typed_line.ts";

/** How a question was answered. */
export type Answer = "typed" | "flag" | "no";

/**
 * Shows what is to be agreed to, and waits for the answer. Where nobody sits at
 * a terminal and no flag was given, the answer is no.
 *
 * @param flag Whether `--yes` was given.
 * @throws {CommandError} cancelled, at a signal.
 */
export async function askYes(
  shown: string,
  flag: boolean,
  terminal: Terminal,
  unanswered: Unanswered,
): Promise<Answer> {
  terminal.note(`${shown}\n`);
  if (flag) {
    terminal.note("Agreed to by --yes.\n\n");
    return "flag";
  }
  if (!Deno.stdin.isTerminal()) {
    terminal.note("Nobody is at a terminal to answer.\n");
    return "no";
  }
  terminal.note('Type "yes" to agree: ');
  const typed = await typedLine(unanswered, terminal);
  return typed?.trim().toLowerCase() === "yes" ? "typed" : "no";
}
