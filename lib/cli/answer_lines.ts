// One answer a line, streaming: input of any length in constant memory.

import type { JsonObject } from "../agent/json.ts";
import { readLines } from "../system/read_lines.ts";
import type { Terminal } from "./terminal.ts";

/** Most bytes of one input line: a whole source, every byte of it escaped. */
export const MAX_ANSWERED_LINE_BYTES = 32 * 1_024;

const FLUSH_CHARACTERS = 64 * 1_024;

/**
 * Answers every line of stdin with one line of JSON on stdout. A line over the
 * bound is answered with `invalid_request`, under the key that the command
 * names codes by.
 */
export async function answerLines(
  answer: (line: Uint8Array) => JsonObject,
  codeKey: "code" | "error",
  terminal: Terminal,
): Promise<void> {
  const tooLong: JsonObject = {
    ok: false,
    [codeKey]: "invalid_request",
    message: `The line has more than ${MAX_ANSWERED_LINE_BYTES} bytes`,
  };
  let waiting = "";
  const flush = () => {
    if (waiting !== "") terminal.out(waiting);
    waiting = "";
  };
  const lines = readLines(Deno.stdin.readable, {
    maxBytes: MAX_ANSWERED_LINE_BYTES,
    // Whoever asks a line at a time is answered a line at a time.
    caughtUp: flush,
  });
  for await (const line of lines) {
    const answered = "bytes" in line ? answer(line.bytes) : tooLong;
    waiting += `${JSON.stringify(answered)}\n`;
    if (waiting.length >= FLUSH_CHARACTERS) flush();
  }
  flush();
}
