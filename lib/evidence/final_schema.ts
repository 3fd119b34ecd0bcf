// The format of a final report, apart from its use.

import { z } from "../system/zod.ts";
import { FINAL_VERSION } from "./final_report.ts";
import { objectSchema, sha256Schema } from "./record_schema.ts";

/** The format of `final.json`; the task's own fields are loose here. */
export const finalSchema = z.looseObject({
  format: z.literal("tinycoder/final"),
  format_version: z.literal(FINAL_VERSION),
  run_id: z.uuid(),
  task: z.string(),
  source: z.string(),
  core_trial: z.boolean(),
  extension: z.string().nullable(),
  stop_reason: z.string(),
  detail: z.string().nullable(),
  verified_success: z.boolean(),
  proposals: z.int().nonnegative(),
  invalid_proposals: z.int().nonnegative(),
  model_calls: z.int().nonnegative(),
  recovered: z.boolean(),
  elapsed_ms: objectSchema,
  audit: z.strictObject({ head: sha256Schema, count: z.int().nonnegative() }),
  /** Of a recovered run: the chain that recovery added. */
  recovery: z.strictObject({
    head: sha256Schema,
    count: z.int().nonnegative(),
  }).optional(),
});
