// Expectations name a part of what must be there: an object may have further
// keys, everything else is compared whole.

import type { Json, JsonObject } from "../../agent/json.ts";

/**
 * The first place where a value isn't what was expected.
 *
 * @param expected Each key of an object is expected, and may be a part again;
 * arrays have the same length.
 * @param at Where the value stands, for the answer.
 * @returns One sentence, or null where all is as expected.
 */
export function findMismatch(
  expected: Json,
  actual: Json | undefined,
  at: string,
): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return differs(expected, actual, at);
    if (expected.length !== actual.length) {
      return `${at} has ${actual.length} items, not ${expected.length}`;
    }
    return firstOf(
      expected.map((one, index) => [one, actual[index], `${at}[${index}]`]),
    );
  }
  if (expected !== null && typeof expected === "object") {
    if (!isObject(actual)) return differs(expected, actual, at);
    return firstOf(
      Object.entries(expected as JsonObject).map(([key, one]) =>
        [one, actual[key], `${at}.${key}`] as const
      ),
    );
  }
  return expected === actual ? null : differs(expected, actual, at);
}

function firstOf(
  pairs: readonly (readonly [Json, Json | undefined, string])[],
): string | null {
  for (const [expected, actual, at] of pairs) {
    const mismatch = findMismatch(expected, actual, at);
    if (mismatch !== null) return mismatch;
  }
  return null;
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== undefined && value !== null && typeof value === "object" &&
    !Array.isArray(value);
}

function differs(expected: Json, actual: Json | undefined, at: string): string {
  const shown = actual === undefined ? "absent" : JSON.stringify(actual);
  return `${at} is ${shown}, not ${JSON.stringify(expected)}`;
}
