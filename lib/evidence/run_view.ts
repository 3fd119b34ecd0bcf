// One view of a run behind show, report, compare, submission and export. It is
// read from the run's folder alone and judges nothing: what doesn't fit together
// becomes a finding, and what can be read is shown all the same.

import type { JsonObject } from "../agent/json.ts";
import type { Attempt, Message } from "../agent/source.ts";
import type { Counts } from "../agent/task.ts";
import type { Sha256 } from "../system/sha256.ts";
import type { Tail } from "./audit_reader.ts";
import type { AuditRecord } from "./audit_record.ts";
import type { AuditHead } from "./audit_writer.ts";
import type { FinalReport } from "./final_report.ts";
import type { Manifest } from "./manifest.ts";
import { type TokenFacts, tokenFacts } from "./run_view_tokens.ts";

/** A part of an event, with the number of the record that says it. */
export type Told<Content> = Content & { readonly eventId: number };

/** One attempt, from its request to its observation, as far as it came. */
export interface ProposalView {
  /** From 1. */
  readonly number: number;
  readonly request: Told<{ readonly messages: readonly Message[] }> | null;
  /** Tokens of the generation; null where the source has none. */
  readonly tokens: TokenFacts | null;
  readonly attempt: Told<{ readonly attempt: Attempt }> | null;
  readonly admitted: Told<{ readonly action: JsonObject }> | null;
  readonly answer:
    | Told<{ readonly observation: JsonObject; readonly counts: Counts }>
    | null;
  /** Why the proposal came too late to count; null where it did count. */
  readonly discarded: Told<{ readonly stopReason: string }> | null;
  /** Whether the next record could not be read: nothing says what follows. */
  readonly brokenOff: boolean;
  /** From the first of its records to the last, in milliseconds. */
  readonly elapsedMs: number;
  /** All of its records, in order. */
  readonly records: readonly AuditRecord[];
}

/** Something that doesn't fit together. */
export interface Finding {
  readonly file: string;
  /** Line of the file, from 1; null where the whole file is meant. */
  readonly line: number | null;
  readonly message: string;
}

/** One run, as its folder shows it. */
export interface RunView {
  readonly manifest: Manifest;
  readonly manifestSha256: Sha256;
  /** Unfinished: it is still running, or its process died. */
  readonly state: "complete" | "recovered" | "unfinished";
  readonly proposals: readonly ProposalView[];
  /** Records before the first request. */
  readonly opening: readonly AuditRecord[];
  /** Records after the last attempt. */
  readonly closing: readonly AuditRecord[];
  /** What recovery added; its times are another process's. */
  readonly recovered: readonly AuditRecord[];
  /** How the loop ended; null where no record says it. */
  readonly stop: {
    readonly reason: string;
    readonly detail: string | null;
  } | null;
  readonly final: FinalReport | null;
  readonly audit: AuditHead;
  readonly tail: Tail;
  readonly recovery: AuditHead | null;
  /** Empty where everything that was read fits together; no verification. */
  readonly findings: readonly Finding[];
}

/**
 * Whether a run's own records say that it ended: then only its final report can
 * have been missing, never written or removed since.
 */
export function cameToEnd({ closing }: Pick<RunView, "closing">): boolean {
  return closing.at(-1)?.event === "run_ended";
}

/**
 * The view of one proposal, from its records.
 *
 * @param brokenOff Whether the record after them could not be read.
 */
export function proposalView(
  number: number,
  records: readonly AuditRecord[],
  brokenOff: boolean,
): ProposalView {
  const told = <Content>(
    event: string,
    take: (content: JsonObject) => Content,
  ) => tell(records.findLast((record) => record.event === event), take);
  const received = told("proposal_received", (content) => ({
    attempt: content as Attempt,
  }));
  const [first, last] = [records.at(0), records.at(-1)];
  return {
    number,
    request: told("request_assembled", ({ messages }) => ({
      messages: messages as readonly Message[],
    })),
    tokens: tokenFacts(received?.attempt),
    attempt: received,
    admitted: told("proposal_admitted", ({ action }) => ({
      action: action as JsonObject,
    })),
    answer: told("observation_made", ({ observation, counts }) => ({
      observation: observation as JsonObject,
      counts: counts as Counts,
    })),
    discarded: told("proposal_discarded", ({ stop_reason }) => ({
      stopReason: String(stop_reason),
    })),
    brokenOff,
    elapsedMs: first === undefined || last === undefined
      ? 0
      : Math.max(0, last.monotonic_ms - first.monotonic_ms),
    records,
  };
}

function tell<Content>(
  record: AuditRecord | undefined,
  take: (content: JsonObject) => Content,
): Told<Content> | null {
  return record === undefined
    ? null
    : { ...take(record.content), eventId: record.event_id };
}
