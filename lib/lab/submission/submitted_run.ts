// What a submission needs of a run. The evidence's view has all of it; the lab
// doesn't know that view.

import type { JsonObject } from "../../agent/json.ts";
import type { Counts } from "../../agent/task.ts";

/** One event of a run. */
export interface SubmittedEvent {
  readonly eventId: number;
  readonly event: string;
  readonly proposalNumber: number | null;
  readonly content: JsonObject;
}

/** One attempt. */
export interface SubmittedProposal {
  readonly number: number;
  /** Null where the attempt never ended. */
  readonly received: {
    readonly eventId: number;
    /** The exact text; null where nothing or no UTF-8 came. */
    readonly text: string | null;
    readonly base64: string | null;
    readonly failed: string | null;
    readonly detail: string | null;
  } | null;
  readonly action: JsonObject | null;
  readonly answer: {
    readonly eventId: number;
    readonly observation: JsonObject;
    readonly counts: Counts;
  } | null;
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly ceilingReached: boolean;
  } | null;
}

/** One run. */
export interface SubmittedRun {
  /** What it is called in the submission: its folder as typed. */
  readonly name: string;
  /** Path of its audit, relative to the submission. */
  readonly audit: string;
  readonly runId: string;
  readonly source: string;
  readonly coreTrial: boolean;
  readonly extension: string | null;
  /** How the run's authority was given. */
  readonly optIn: string;
  readonly created: string;
  readonly runtime: JsonObject;
  readonly model: JsonObject | null;
  readonly enforced: Readonly<Record<string, string>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly initialFiles: readonly {
    readonly name: string;
    readonly sha256: string;
  }[];
  readonly proposals: readonly SubmittedProposal[];
  readonly events: readonly SubmittedEvent[];
  readonly stop: {
    readonly reason: string;
    readonly detail: string | null;
  } | null;
  readonly final: JsonObject | null;
  /** Whether everything that was read fits together. */
  readonly holds: boolean;
  /** What doesn't fit first, as a clause; null where everything does. */
  readonly fault: string | null;
}

/** Why no model's work can be seen in a run; null where it can. */
export function noModel({ source, final }: SubmittedRun): string | null {
  return source !== "model" || final?.["model_calls"] === 0
    ? "no model was called"
    : null;
}
