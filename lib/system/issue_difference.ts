// What a schema wanted and what stood there instead, in words of our own: a
// library's sentence would otherwise be shown as what was found.

import { counted } from "./counted.ts";
import { firstIssue } from "./first_issue.ts";
import { quoteSafely } from "./safe_text.ts";
import type { z } from "./zod.ts";

/** Where a value isn't of its format; all three are safe to show, and short. */
export interface IssueDifference {
  /** Path of the field, such as `files.0.name`; empty for the whole value. */
  readonly place: string;
  /** "nothing" where a schema has no such field. */
  readonly expected: string;
  /** A value on one line; "nothing" where there is none. */
  readonly found: string;
}

/** Most bytes of a value that is shown. */
const SHOWN_BYTES = 160;

/**
 * The first thing that a schema found wrong with a value.
 *
 * @param value The value that it refused.
 */
export function issueDifference(
  error: z.ZodError,
  value: unknown,
): IssueDifference {
  const [issue] = error.issues as [z.core.$ZodIssue];
  if (issue.code === "unrecognized_keys") {
    const path = [...issue.path, issue.keys[0]!];
    const place = quoteSafely(path.map(String).join("."), SHOWN_BYTES)
      .slice(1, -1);
    return { place, expected: "nothing", found: shown(valueAt(value, path)) };
  }
  const { place, why } = firstIssue(error);
  return {
    place,
    expected: expectedBy(issue) ?? why,
    found: shown(valueAt(value, issue.path)),
  };
}

/** What an issue wanted; null where only the library's sentence says it. */
function expectedBy(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case "invalid_type":
      return TYPE_WORDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map((one) => shown(one)).join(" or ");
    case "too_small":
      return `${issue.inclusive ? "at least" : "more than"} ${
        amount(issue.minimum, issue.origin)
      }`;
    case "too_big":
      return `${issue.inclusive ? "at most" : "less than"} ${
        amount(issue.maximum, issue.origin)
      }`;
    case "invalid_format":
      return FORMAT_WORDS[issue.format] ??
        (issue.pattern === undefined ? null : `text like ${issue.pattern}`);
    default:
      return null;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  datetime: "a time as in 2026-01-31T12:00:00.000Z",
  uuid: "a UUID",
};

function amount(limit: number | bigint, origin: string): string {
  const unit = origin === "string"
    ? "character"
    : origin === "array"
    ? "element"
    : null;
  return unit === null ? `${limit}` : counted(Number(limit), unit);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) {
      return undefined;
    }
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quoteSafely(value, SHOWN_BYTES);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null
    ? "an object"
    : String(value);
}
