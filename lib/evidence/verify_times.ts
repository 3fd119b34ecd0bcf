// Times can't be derived, but they can be impossible: a clock that goes back, or
// a total that lies outside the moments between which it was taken.

import type { Contradiction } from "../agent/witness.ts";
import type { AuditRecord } from "./audit_record.ts";
import type { Manifest } from "./manifest.ts";

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

/**
 * Work that was begun although the run's own deadline had passed, or undefined.
 * Between these records and the next the gate is asked, and no clock of it goes
 * back: a record that is later than the deadline can only be the end of the work.
 *
 * @param first The run's first record: it was made after the deadline was set.
 * @param last The record before; null for the first.
 */
export function deadlineContradiction(
  record: AuditRecord,
  first: AuditRecord | null,
  last: AuditRecord | null,
  { limits, proposal_source }: Pick<Manifest, "limits" | "proposal_source">,
): Contradiction | undefined {
  // A replay is told when its original stopped, and asks no clock.
  if (first === null || last === null || proposal_source === "recorded") return;
  const latestMs = first.monotonic_ms + Number(limits["run_ms"]) + ROUNDED_MS;
  if (!(last.monotonic_ms > latestMs)) return;
  const begun = ASKED_AFTER.includes(last.event)
    ? !ENDS.includes(record.event)
    : last.event === "loop_stopped" && record.event === "final_evaluation" &&
      record.content["status"] === "performed";
  return !begun ? undefined : {
    message: "The run's deadline had passed, and nothing more was to begin",
    field: "event",
    expected: `a stop after ${Math.round(latestMs)} ms`,
    found: `"${record.event}"`,
  };
}

/** Records after which the gate is asked before anything else is done. */
const ASKED_AFTER: readonly string[] = [
  "model_loaded",
  "proposal_received",
  "proposal_admitted",
  "observation_made",
];

/** What can follow them once the gate says stop. */
const ENDS: readonly string[] = [
  "stop_requested",
  "loop_stopped",
  "harness_fault",
];

/** What rounding to the microsecond adds to a difference at most. */
const ROUNDED_MS = 0.001;

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
  const sum = Object.entries(times)
    .reduce((ms, [kind, value]) => kind === "total" ? ms : ms + value, 0);
  // One kind of work at a time; each time is rounded by itself.
  return sum <= total + KINDS.length * ROUNDED_MS ? undefined : {
    message: "The kinds of work took more than the whole run",
    field: "content.elapsed_ms",
    expected: `at most ${total} in all`,
    found: `${sum}`,
  };
}
