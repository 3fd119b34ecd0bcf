// Where two JSON values part, in the order in which a person would read them.

import type { Json } from "../agent/json.ts";
import { quoteSafely } from "../system/safe_text.ts";
import { canonicalJson } from "./audit_record.ts";

/** The first place where two values differ. */
export interface ValueDifference {
  /** Such as `content.cases.2.actual`; empty for the values themselves. */
  readonly path: string;
  /** As shortened canonical JSON; "nothing" where it is absent. */
  readonly expected: string;
  readonly found: string;
}

/** Most bytes of a value that is shown. */
const SHOWN_BYTES = 240;

/** The first difference of two JSON values, or null where they are equal. */
export function firstDifference(
  expected: Json | undefined,
  found: Json | undefined,
  path: readonly string[] = [],
): ValueDifference | null {
  if (isContainer(expected) && isContainer(found)) {
    if (Array.isArray(expected) === Array.isArray(found)) {
      const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
      for (const key of keys) {
        const difference = firstDifference(
          member(expected, key),
          member(found, key),
          [...path, key],
        );
        if (difference !== null) return difference;
      }
      return null;
    }
  } else if (expected === found) return null;
  if (typeof expected === "string" && typeof found === "string") {
    return { path: path.join("."), ...textDifference(expected, found) };
  }
  return {
    path: path.join("."),
    expected: showValue(expected),
    found: showValue(found),
  };
}

/** A value on one line, safe to print and cut where it is long. */
export function showValue(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quoteSafely(value, SHOWN_BYTES);
  const text = canonicalJson(value);
  const quoted = quoteSafely(text, SHOWN_BYTES);
  // Plain values need no quotes; what had to be escaped or cut keeps them.
  return quoted === `"${text}"` ? text : unquoted(quoted);
}

/** Two texts from a little before the place where they part. */
function textDifference(
  expected: string,
  found: string,
): Pick<ValueDifference, "expected" | "found"> {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at++;
  const start = at < SHOWN_BYTES / 4 ? 0 : at - LEAD_IN;
  const from = (text: string) =>
    start === 0
      ? showValue(text)
      : `${showValue(text.slice(start))} from character ${start}`;
  return { expected: from(expected), found: from(found) };
}

/** Characters that are shown before the place where two texts part. */
const LEAD_IN = 20;

type Container = { readonly [key: string]: Json } | readonly Json[];

function isContainer(value: Json | undefined): value is Container {
  return typeof value === "object" && value !== null;
}

function member(container: Container, key: string): Json | undefined {
  return Object.hasOwn(container, key)
    ? (container as { readonly [key: string]: Json })[key]
    : undefined;
}

/** Inner quotes are plain again: the text is JSON, not a quotation of it. */
function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}
