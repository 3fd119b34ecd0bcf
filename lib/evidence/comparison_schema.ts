// The format of `compare --json`, for whoever reads it.

import { z } from "../system/zod.ts";
import { COMPARISON_VERSION } from "./comparison_json.ts";
import { objectSchema } from "./record_schema.ts";

const count = z.int().nonnegative();

const comparedRunSchema = z.strictObject({
  run_id: z.string(),
  source: z.string(),
  core_trial: z.boolean(),
  extension: z.string().nullable(),
  created: z.string(),
  /** Unfinished: it is still running, or its process died. */
  state: z.enum(["complete", "recovered", "unfinished"]),
  /** Null where no record says how the loop ended. */
  stop: z.strictObject({ reason: z.string(), detail: z.string().nullable() })
    .nullable(),
  /** Null where there is no final report. */
  final_evaluation: z.string().nullable(),
  /** What passes, by kind of case; null where nothing was evaluated. */
  scores: z.array(z.strictObject({
    name: z.string(),
    passed: count.nullable(),
    total: count.nullable(),
  })),
  /** As the final report claims it: it counts only without findings. */
  verified_success: z.boolean().nullable(),
  proposals: z.array(z.strictObject({
    number: z.int().positive(),
    outcome: z.enum(["carried_out", "denied", "unanswered"]),
    /** Null where it was no admissible action. */
    action: objectSchema.nullable(),
    /** The denial's code. */
    error: z.string().nullable(),
  })),
  refused: count,
  model_calls: count.nullable(),
  /** Sums over all proposals; null where the source has none. */
  tokens: z.strictObject({ input: count, output: count }).nullable(),
  /** By kind, in milliseconds; null where there is no final report. */
  elapsed_ms: objectSchema.nullable(),
  records: count,
  /** What doesn't fit together. */
  findings: z.array(z.strictObject({
    file: z.string(),
    line: z.int().positive().nullable(),
    message: z.string(),
  })),
});

/** The format of a comparison of two runs. */
export const comparisonSchema = z.strictObject({
  format: z.literal("tinycoder/comparison"),
  format_version: z.literal(COMPARISON_VERSION),
  same_conditions: z.boolean(),
  differing_conditions: z.array(z.string()),
  /** The two runs, in the order in which they were named. */
  runs: z.tuple([comparedRunSchema, comparedRunSchema]),
});
