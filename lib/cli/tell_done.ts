// What is made stays made when the words about it don't arrive.

import { CommandError } from "../system/command_error.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Writes the result of a command that has made something.
 *
 * @param done What was made, as a sentence: it is what an error says last,
 *   instead of asking for a second try.
 * @throws {CommandError} where stdout takes no result.
 */
export function tellDone(
  terminal: Terminal,
  text: string,
  done: string,
): void {
  try {
    terminal.out(text);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      error.exitCode,
      { ...error.text, next: done },
      error.cause,
    );
  }
}
