// An explicit yes to what was shown, typed or by flag (lab Parts 1 and 5).

import type { Terminal } from "./terminal.ts";

/** How a question was answered. */
export type Answer = "typed" | "flag" | "no";

/**
 * Shows what is to be agreed to, and waits for the answer. Where nobody sits at
 * a terminal and no flag was given, the answer is no.
 *
 * @param flag Whether `--yes` was given.
 */
export async function askYes(
  shown: string,
  flag: boolean,
  terminal: Terminal,
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
  const buffer = new Uint8Array(256);
  const length = await Deno.stdin.read(buffer);
  const typed = new TextDecoder().decode(buffer.subarray(0, length ?? 0));
  return typed.trim().toLowerCase() === "yes" ? "typed" : "no";
}
