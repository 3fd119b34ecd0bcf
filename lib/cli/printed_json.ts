// JSON results: equal as data, and harmless on a terminal.

import { showJsonSafely } from "../system/safe_text.ts";

/**
 * A value as the JSON text that a command prints, a line feed at its end.
 *
 * @param indent Spaces a level; 0 for one line.
 */
export function printedJson(value: unknown, indent = 0): string {
  return `${showJsonSafely(JSON.stringify(value, null, indent))}\n`;
}
