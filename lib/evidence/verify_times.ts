// Times can't be derived, but they can be impossible: a clock that goes back, or
// a total that lies outside the moments between which it was taken.

import type { Contradiction } from "../agent/witness.ts";
import type { AuditRecord } from "./audit_record.ts";

/** What a run's times are kept of, its total included. */
const KINDS: readonly string[] = [
  "load",
  "counting",
  "generation",
  "validation",
  "edit",
  "test",
  "evaluation",
  "total",
];

/**
 * What of a record's own time or label can't be, or undefined.
 *
 * @param last The record before; null for the first.
 * @param source The label that the manifest gives every record.
 */
export function timeContradiction(
  record: AuditRecord,
  last: AuditRecord | null,
  source: string,
): Contradiction | undefined {
  const lastMs = last?.monotonic_ms ?? 0;
  const { monotonic_ms: ms, wall_time: wall } = record;
  if (record.source !== source) {
    return {
      message: "The record has another source than the manifest",
      field: "source",
      expected: JSON.stringify(source),
      found: JSON.stringify(record.source),
    };
  }
  if (ms < lastMs) {
    return {
      message: "The record is older than the one before it",
      field: "monotonic_ms",
      expected: `at least ${lastMs}`,
      found: `${ms}`,
    };
  }
  if (!isWallTime(wall)) {
    return {
      message: "It isn't a time as the program writes it",
      field: "wall_time",
      found: JSON.stringify(wall),
    };
  }
  if (record.event === "run_ended" && last?.event !== "times_measured") {
    return {
      message: "A run measures its times right before it ends",
      field: "event",
      expected: '"times_measured" before it',
    };
  }
  return record.event === "times_measured"
    ? totalContradiction(record, lastMs)
    : undefined;
}

/** Whether a text is ISO 8601 in UTC with milliseconds, and an instant. */
export function isWallTime(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && new Date(ms).toISOString() === text;
}

function totalContradiction(
  { content, monotonic_ms: ms }: AuditRecord,
  lastMs: number,
): Contradiction | undefined {
  const times = content["elapsed_ms"] as Record<string, number>;
  const { total } = times;
  if (total === undefined || total < lastMs || total > ms) {
    return {
      message: "The total was taken between this record and the one before",
      field: "content.elapsed_ms.total",
      expected: `${lastMs} to ${ms}`,
      found: `${total ?? "nothing"}`,
    };
  }
  for (const [kind, value] of Object.entries(times)) {
    if (KINDS.includes(kind) && value <= total) continue;
    return {
      message: "No run has such a time",
      field: `content.elapsed_ms.${kind}`,
      expected: KINDS.includes(kind) ? `at most ${total}` : "nothing",
      found: `${value}`,
    };
  }
  return undefined;
}
