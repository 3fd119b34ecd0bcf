// Rules that every parser's answers obey, whatever the language.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { bytesOf } from "./fuzz_target.ts";

/**
 * A message is one line without anything that moves a cursor, within its bound.
 *
 * @param maxBytes As the parser's own documentation says.
 */
export function assertMessage(message: string, maxBytes: number): void {
  assert.ok(message.length > 0, "an empty message");
  const unsafe =
    /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
      .exec(message);
  assert.ok(
    unsafe === null,
    `a message with U+${unsafe?.[0].codePointAt(0)?.toString(16)}: ${
      JSON.stringify(message)
    }`,
  );
  const bytes = bytesOf(message).length;
  assert.ok(
    bytes <= maxBytes,
    `a message of ${bytes} bytes, over ${maxBytes}: ${JSON.stringify(message)}`,
  );
}

/** A message without what is in the input: texts and numbers left out. */
export function shapeOf(message: string): string {
  return message.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '"')
    .replaceAll(/'[^']*'/g, "'")
    .replaceAll(/[-+]?\d[\d.eE+-]*…?/g, "#")
    .replaceAll(/U\+\w+|0x\w+/g, "#")
    .slice(0, 80);
}

/** An offset lies in the input, or at its end. */
export function assertOffset(offset: number, length: number): void {
  assert.ok(
    Number.isInteger(offset) && offset >= 0 && offset <= length,
    `an offset of ${offset} in ${length}`,
  );
}

/** Answers twice; the same bytes have the same answer. */
export function twice<T>(answer: () => T): T {
  const first = answer();
  const second = answer();
  assert.ok(
    isDeepStrictEqual(first, second),
    "two answers to the same input differ",
  );
  return first;
}

/** An answer, or what was thrown where that is the domain's own refusal. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/** Answers; every error but a refusal of the one class is passed on. */
export function outcomeOf<T>(
  answer: () => T,
  refusal: abstract new (...args: never[]) => Error,
): Outcome<T> {
  try {
    return { ok: true, value: answer() };
  } catch (thrown) {
    if (!(thrown instanceof refusal)) throw thrown;
    return { ok: false, message: thrown.message };
  }
}
