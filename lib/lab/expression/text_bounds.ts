// Lab Part 4: length, encoding and the one line come before everything else. A
// proposal's `old` is asked for no more than this (lab Part 5).

import { MAX_EXPRESSION_BYTES } from "./limits.ts";
import type { RefusedExpression } from "./refusal.ts";

/**
 * Judges a text without reading it as an expression.
 *
 * @returns Null for 1 to 256 bytes of printable ASCII on one line, else the
 *   refusal, `expression_bounds`.
 */
export function refuseTextBounds(text: string): RefusedExpression | null {
  if (text === "") return refuse("The expression is empty", 0);
  const unprintable = text.search(/[^ -~]/);
  if (unprintable !== -1) {
    return refuse(
      "The expression must be printable ASCII on one line",
      unprintable,
    );
  }
  if (text.length > MAX_EXPRESSION_BYTES) {
    return refuse(
      `The expression has ${text.length} bytes; ` +
        `at most ${MAX_EXPRESSION_BYTES} are allowed`,
      MAX_EXPRESSION_BYTES,
    );
  }
  return null;
}

function refuse(message: string, offset: number): RefusedExpression {
  return { ok: false, code: "expression_bounds", message, offset };
}
