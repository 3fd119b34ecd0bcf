// Lab Part 10: newline-delimited JSON, one record an event, each chained to the
// bytes of the one before it. RFC 8785 canonical form, so that a record has one
// spelling only.

import canonicalize from "canonicalize";
import type { JsonObject } from "../agent/json.ts";
import type { EventId } from "../agent/recorder.ts";
import type { Sha256 } from "../system/sha256.ts";

/** Most bytes of one record's line, newline excluded. */
export const MAX_RECORD_BYTES = 128 * 1_024;

/** Whether an event came from outside or was computed. */
export type EventKind = "fact" | "derived";

/** One event of a run, as the audit keeps it. */
export interface AuditRecord extends JsonObject {
  readonly run_id: string;
  readonly event_id: EventId;
  readonly event: string;
  readonly kind: EventKind;
  /** The place in the program that asked for a fact; null for a derived event. */
  readonly at: string | null;
  /** Null before the first proposal. */
  readonly proposal_number: number | null;
  /** Milliseconds since the run's origin. */
  readonly monotonic_ms: number;
  readonly wall_time: string;
  /** The proposal source's label. */
  readonly source: string;
  /** SHA-256 of the line before; of the manifest for the first. */
  readonly prev: Sha256;
  readonly content: JsonObject;
}

/**
 * RFC 8785 canonical JSON.
 *
 * @throws {TypeError} for what JSON can't say.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Not a JSON value");
  return text;
}
