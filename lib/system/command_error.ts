// Bad input gets one clear error: what could not be done, why, what to do next.

import { showSafely } from "./safe_text.ts";

/** Exit codes of every command. */
export const EXIT = {
  /** Done as asked; for a run: the evidence is complete, however it ended. */
  done: 0,
  /** `--require-success` was given and the run isn't a verified success. */
  unsuccessful: 1,
  /** Wrong usage. */
  usage: 2,
  /** Refused before starting: opt-in, resources, unsafe path. */
  refused: 3,
  /** The evidence doesn't hold. */
  evidence: 4,
  /** The harness itself failed. */
  harness: 5,
  /** Cancelled. */
  cancelled: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = typeof EXIT[keyof typeof EXIT];

/** What a command that can't go on says. */
export interface CommandErrorText {
  /** What could not be done, with what the user typed in quotes. */
  readonly what: string;
  /** Why, as a sentence's second half. */
  readonly why: string;
  /** What to do next, as a sentence. */
  readonly next: string;
}

/** Ends a command with one clear error. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;
  /** The message's parts, for a command that says them in another place. */
  readonly text: CommandErrorText;

  constructor(exitCode: ExitCode, said: CommandErrorText, cause?: unknown) {
    // Whatever a part repeats stays on its line, and acts on nothing.
    const text = {
      what: showSafely(said.what),
      why: showSafely(said.why),
      next: showSafely(said.next),
    };
    super(`${text.what}: ${text.why}.\n${text.next}`, { cause });
    this.exitCode = exitCode;
    this.text = text;
  }
}
