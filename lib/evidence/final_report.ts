// The final report: the terminal record's content with the audit's head and
// count, since a chain alone doesn't show a cut tail.

import { z } from "../system/zod.ts";
import type { JsonObject } from "../agent/json.ts";
import type { AuditHead } from "./audit_writer.ts";
import { objectSchema, sha256Schema } from "./record_schema.ts";

/** Name of the final report in a run's folder. */
export const FINAL_NAME = "final.json";

/** Version of the final report's format. */
export const FINAL_VERSION = 1;

/** Most bytes of a final report. */
export const MAX_FINAL_BYTES = 128 * 1_024;

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

/** A run's final report. */
export type FinalReport = z.infer<typeof finalSchema>;

/** Heads of the chains that a final report closes. */
export interface Heads {
  readonly audit: AuditHead;
  readonly recovery?: AuditHead;
}

/** The final report of a run, from its terminal record's content. */
export function finalReport(content: JsonObject, heads: Heads): JsonObject {
  const { audit, recovery } = heads;
  return {
    format: "tinycoder/final",
    format_version: FINAL_VERSION,
    ...content,
    audit: { head: audit.head, count: audit.count },
    ...(recovery === undefined
      ? {}
      : { recovery: { head: recovery.head, count: recovery.count } }),
  };
}

/** A final report's bytes, as they are written. */
export function finalBytes(report: JsonObject): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`);
}
