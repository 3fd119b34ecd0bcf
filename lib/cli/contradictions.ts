// Two ways in which a value contradicts what it should be, with its place.

import type { Json, JsonObject } from "../agent/json.ts";
import type { Contradiction } from "../agent/witness.ts";
import { firstDifference } from "../evidence/first_difference.ts";
import { issueDifference } from "../system/issue_difference.ts";
import type { z } from "../system/zod.ts";

/** What of a value isn't of its format. */
export function malformed(
  message: string,
  field: string,
  error: z.ZodError,
  value: Json,
): Contradiction {
  const { place, ...values } = issueDifference(error, value);
  return {
    message,
    field: place === "" ? field : `${field}.${place}`,
    ...values,
  };
}

/** Where a value isn't the expected one, or null. */
export function differing(
  message: string,
  expected: JsonObject,
  found: Json,
  field: string,
): Contradiction | null {
  const difference = firstDifference(expected, found);
  if (difference === null) return null;
  const { path, ...values } = difference;
  return { message, field: `${field}.${path}`, ...values };
}
