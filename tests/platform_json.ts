// V8's `JSON.parse`, for tests that hold another reader against it.

/**
 * What `JSON.parse` makes of a text, without its fault of V8 13 to 15: once an
 * object had a key that ends in `\`, a later one with the same keys before it
 * may read another key as that one, if an escape stands at the backslash's place
 * (nodejs/node issue 63785). So while V8 reads them, keys are numbers.
 *
 * @throws {SyntaxError} As `JSON.parse` does.
 */
export function parsePlatformJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\\[^]*:/.test(text)) return value;
  const keys: string[] = [];
  const numbered = text.replaceAll(
    /("(?:[^"\\]|\\.)*")(\s*:)?/gs,
    (whole, string, colon) =>
      colon ? `"k${keys.push(JSON.parse(string)) - 1}"${colon}` : whole,
  );
  return withKeys(JSON.parse(numbered), keys);
}

function withKeys(value: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withKeys(one, keys));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      keys[Number(key.slice(1))],
      withKeys(one, keys),
    ]),
  );
}
