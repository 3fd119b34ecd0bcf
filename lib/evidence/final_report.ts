// The final report: the terminal record's content with the audit's head and
// count, since a chain alone doesn't show a cut tail.

import type { z } from "../system/zod.ts";
import type { JsonObject } from "../agent/json.ts";
import { canonicalJson } from "./audit_record.ts";
import type { AuditHead } from "./audit_writer.ts";
import type { finalSchema } from "./final_schema.ts";

/** Name of the final report in a run's folder. */
export const FINAL_NAME = "final.json";

/** Version of the final report's format. */
export const FINAL_VERSION = 1;

/** Most bytes of a final report. */
export const MAX_FINAL_BYTES = 128 * 1_024;

/** A run's final report. */
export type FinalReport = z.infer<typeof finalSchema>;

/** Heads of the chains that a final report closes. */
export interface Heads {
  readonly audit: AuditHead;
  readonly recovery?: AuditHead;
}

/**
 * The final report of a run, from its terminal record's content.
 *
 * The order of its keys follows from their names alone, so that the report
 * that is derived again from the audit has the same bytes.
 */
export function finalReport(content: JsonObject, heads: Heads): JsonObject {
  const { audit, recovery } = heads;
  const sorted = JSON.parse(canonicalJson(content)) as JsonObject;
  const { run_id = null, task = null, source = null, ...rest } = sorted;
  return {
    format: "tinycoder/final",
    format_version: FINAL_VERSION,
    run_id,
    task,
    source,
    ...rest,
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
