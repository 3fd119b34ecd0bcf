// What the user typed, in a message.

import { quoteSafely } from "../system/safe_text.ts";

/** Most bytes of it that a message repeats. */
const MAX_SHOWN = 240;

/** A typed name in double quotes, on one line, nothing in it acting on it. */
export function quoteTyped(typed: string): string {
  return quoteSafely(typed, MAX_SHOWN);
}
