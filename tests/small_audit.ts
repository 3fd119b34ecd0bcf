// A catalogue of two events and records of them, for tests of the evidence that
// need no run.

import type { EventCatalogue } from "../lib/evidence/event_schemas.ts";
import type { AuditRecord } from "../lib/evidence/audit_record.ts";
import type { UnchainedRecord } from "../lib/evidence/audit_writer.ts";
import { sha256 } from "../lib/system/sha256.ts";
import { z } from "../lib/system/zod.ts";

/** One fact, `seen`, and one derived event, `made`. */
export const SMALL_CATALOGUE: EventCatalogue = {
  facts: { seen: z.strictObject({ text: z.string() }) },
  derived: { made: z.strictObject({ text: z.string() }) },
};

/** The run that the records belong to. */
export const RUN_ID = "00000000-0000-4000-8000-000000000000";

/** What the first record chains to. */
export const SEALED = { head: sha256("a manifest"), count: 0 };

/** A record before it has its place. */
export function unchained(
  kind: "seen" | "made",
  text: string,
): UnchainedRecord {
  return {
    run_id: RUN_ID,
    event: kind,
    kind: kind === "seen" ? "fact" : "derived",
    at: kind === "seen" ? "here" : null,
    proposal_number: null,
    monotonic_ms: 1.5,
    wall_time: "2026-01-01T00:00:00.000Z",
    source: "scripted",
    content: { text },
  } as unknown as UnchainedRecord;
}

/** A record with a place, for readers that don't look at the chain. */
export function recordOf(
  event_id: number,
  event: string,
  fields: Partial<AuditRecord> = {},
): AuditRecord {
  return {
    ...unchained("made", ""),
    event_id,
    event,
    prev: SEALED.head,
    ...fields,
  } as AuditRecord;
}
