// Two runs with the same facts, event by event: what today's controller does
// otherwise than the one that was recorded.

import type { JsonObject } from "../agent/json.ts";
import { type AuditRecord, canonicalJson } from "./audit_record.ts";
import { firstDifference, showValue } from "./first_difference.ts";

/** An event without its place in a chain. */
export type ComparedEvent = Pick<
  AuditRecord,
  "kind" | "event" | "at" | "proposal_number" | "content"
>;

/** How two runs part. */
export type ReplayDivergenceKind =
  | "missing"
  | "extra"
  | "request"
  | "action"
  | "observation"
  | "state"
  | "fact";

/** The first event in which two runs differ. */
export interface ReplayDivergence {
  readonly kind: ReplayDivergenceKind;
  /** Number of the event, the same in both runs. */
  readonly event: number;
  readonly proposalNumber: number | null;
  /** Path of the field in which they differ. */
  readonly field: string;
  /** In the recorded run; "nothing" where it has no such event. */
  readonly recorded: string;
  /** In the fresh run. */
  readonly fresh: string;
}

/** What a comparison came to. */
export interface ReplayComparison {
  /** Events that are the same in both runs, up to the divergence. */
  readonly agreed: number;
  /** Whether the recorded run was recorded to its end. */
  readonly recordedToEnd: boolean;
  readonly divergence: ReplayDivergence | null;
}

/** Fields that say which run it is and how long it took, not what it did. */
const OWN_FIELDS: readonly string[] = [
  "run_id",
  "source",
  "core_trial",
  "extension",
  "model_calls",
  "elapsed_ms",
];

/** Whether two events say the same. */
export function sameEvent(a: ComparedEvent, b: ComparedEvent): boolean {
  return canonicalJson(comparable(a)) === canonicalJson(comparable(b));
}

/**
 * Compares a recorded run with its replay.
 *
 * A recorded run whose process died ends early; what the replay does beyond is
 * no divergence.
 */
export function compareRuns(
  recorded: Iterable<AuditRecord>,
  fresh: Iterable<AuditRecord>,
): ReplayComparison {
  const freshRecords = fresh[Symbol.iterator]();
  let agreed = 0;
  let last: AuditRecord | null = null;
  const end = (divergence: ReplayDivergence | null): ReplayComparison => ({
    agreed,
    recordedToEnd: last?.event === "run_ended",
    divergence,
  });
  for (const record of recorded) {
    last = record;
    const { value, done } = freshRecords.next();
    const other = done === true ? null : value;
    if (other !== null && sameEvent(record, other)) {
      agreed++;
      continue;
    }
    return end(divergenceOf(record, other, agreed + 1));
  }
  const { value, done } = freshRecords.next();
  return last?.event === "run_ended" && done !== true
    ? end(divergenceOf(null, value, agreed + 1))
    : end(null);
}

function divergenceOf(
  recorded: AuditRecord | null,
  fresh: AuditRecord | null,
  event: number,
): ReplayDivergence {
  const place = {
    event,
    proposalNumber: (recorded ?? fresh)?.proposal_number ?? null,
  };
  if (recorded === null || fresh === null || recorded.event !== fresh.event) {
    return {
      ...place,
      kind: kindOfOther(recorded, fresh),
      field: "event",
      recorded: showValue(recorded?.event),
      fresh: showValue(fresh?.event),
    };
  }
  const difference = firstDifference(comparable(recorded), comparable(fresh));
  return {
    ...place,
    kind: KINDS[recorded.event] ??
      (recorded.kind === "fact" ? "fact" : "state"),
    field: difference?.path ?? "",
    recorded: difference?.expected ?? "",
    fresh: difference?.found ?? "",
  };
}

/** Where the next event is another one: it is missing, or one is more. */
function kindOfOther(
  recorded: AuditRecord | null,
  fresh: AuditRecord | null,
): ReplayDivergenceKind {
  if (recorded === null) return "extra";
  if (fresh === null) return "missing";
  // A fact that only one of the two was told.
  if (recorded.kind !== fresh.kind) {
    return fresh.kind === "fact" ? "extra" : "missing";
  }
  // An action in place of a denial, or the other way round.
  const events = [recorded.event, fresh.event];
  return events.includes("proposal_admitted") ? "action" : "state";
}

const KINDS: Readonly<Record<string, ReplayDivergenceKind>> = {
  request_assembled: "request",
  proposal_admitted: "action",
  observation_made: "observation",
};

function comparable(record: ComparedEvent): JsonObject {
  const { kind, event, at, proposal_number, content } = record;
  const compared = event === "run_ended" || event === "times_measured"
    ? Object.fromEntries(
      Object.entries(content).filter(([key]) => !OWN_FIELDS.includes(key)),
    )
    : content;
  return { kind, event, at, proposal_number, content: compared };
}
