// What a strict scan yields. Numbers stay as they were written, since `1`,
// `1.0`, `1e0`, `-0` and a 30-digit integer mean different things to a contract
// (lab Part 5: exact integer type) and lose that as JavaScript numbers.

/** A JSON value whose numbers are still as they were written. */
export type JsonTree =
  | null
  | boolean
  | string
  | JsonNumber
  | JsonTreeArray
  | JsonTreeObject;

/** A JSON array. */
export type JsonTreeArray = readonly JsonTree[];

/**
 * A JSON object: a map, so that `__proto__` and `constructor` are keys like any
 * other. Keys keep the order in which they were written.
 */
export type JsonTreeObject = ReadonlyMap<string, JsonTree>;

/** A JSON number as it was written. */
export class JsonNumber {
  constructor(
    /** The number's text, by the grammar of RFC 8259 section 6. */
    readonly lexeme: string,
  ) {}
}

/** Whether a value is a JSON object. */
export function isJsonTreeObject(value: JsonTree): value is JsonTreeObject {
  return value instanceof Map;
}

/** Whether a value is a JSON array. */
export function isJsonTreeArray(value: JsonTree): value is JsonTreeArray {
  return Array.isArray(value);
}
