// What a person types when asked; a byte at a time, so that nothing beyond the line
// is taken from whoever reads next.

import { CommandError, EXIT } from "../system/command_error.ts";
import { onSignal } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/** Most bytes of a typed line. */
const MAX_LINE_BYTES = 4_096;

/** What a signal says where a line was waited for. */
export interface Unanswered {
  /** What can't be done now, as an error's first words. */
  readonly what: string;
  /** What became of it, as a sentence. */
  readonly next: string;
}

/**
 * One line from the terminal; null at its end, or if it is too long.
 *
 * @throws {CommandError} cancelled, at a signal.
 */
export async function typedLine(
  { what, next }: Unanswered,
  terminal: Pick<Terminal, "note">,
): Promise<string | null> {
  const cancelled = Promise.withResolvers<never>();
  const listening = onSignal(() => {
    // The question's own line is not ended yet.
    terminal.note("\n");
    cancelled.reject(
      new CommandError(EXIT.cancelled, { what, why: "it was cancelled", next }),
    );
  });
  try {
    return await Promise.race([readLine(), cancelled.promise]);
  } finally {
    listening.stop();
  }
}

async function readLine(): Promise<string | null> {
  const bytes: number[] = [];
  const byte = new Uint8Array(1);
  while (bytes.length < MAX_LINE_BYTES) {
    if (await Deno.stdin.read(byte) === null) {
      return bytes.length === 0 ? null : text(bytes);
    }
    if (byte[0] === 0x0a) return text(bytes);
    bytes.push(byte[0]!);
  }
  return null;
}

function text(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
