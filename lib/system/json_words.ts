// JSON that somebody else wrote, in a sentence. `String()` would call what an
// object brings under the name "toString", and fail where that is no function.

/** A JSON value as words: a text as it is, all else as JSON. */
export function jsonWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "nothing";
}
