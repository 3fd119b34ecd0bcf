// The format of `verify --json`, for whoever reads it.

import { z } from "../system/zod.ts";
import { DISCREPANCY_CODES, VERIFICATION_VERSION } from "./verify_report.ts";

const place = z.int().positive().nullable();

/** The format of a verification. */
export const verificationSchema = z.strictObject({
  format: z.literal("tinycoder/verification"),
  format_version: z.literal(VERIFICATION_VERSION),
  /** Null where the manifest names none. */
  run_id: z.uuid().nullable(),
  holds: z.boolean(),
  /** In the order in which they are made; nothing after the first difference. */
  checks: z.array(z.strictObject({
    name: z.string(),
    /** Of a check that fails, how many held. */
    checked: z.int().nonnegative(),
    state: z.enum(["holds", "fails", "not_reached", "none"]),
  })),
  /** The first thing that differs; null where the evidence holds. */
  discrepancy: z.strictObject({
    /** The case, which stays as it is where the message is worded anew. */
    code: z.enum(DISCREPANCY_CODES),
    check: z.string(),
    file: z.string(),
    /** Number of the line, from 1. */
    line: place,
    /** Number of the event. */
    event: place,
    field: z.string().nullable(),
    message: z.string(),
    expected: z.string().nullable(),
    found: z.string().nullable(),
  }).nullable(),
  notes: z.array(z.string()),
  /** Of the report that was derived again, as is all below; null where it
   * doesn't hold. */
  source: z.string().nullable(),
  core_trial: z.boolean().nullable(),
  /** What is declared to be different; null also where nothing is. */
  extension: z.string().nullable(),
  recovered: z.boolean().nullable(),
  stop_reason: z.string().nullable(),
  verified_success: z.boolean().nullable(),
});
