// The events that every run has, whatever its task and source (facts
// came from outside, derived events were computed).

import type { StopWord } from "./gate.ts";
import type { JsonObject } from "./json.ts";
import type { EventTable } from "./recorder.ts";
import type { Attempt, Loaded, Message, TokenCount } from "./source.ts";
import type { Counts } from "./task.ts";

/** Facts of the loop. */
export interface LoopFacts extends EventTable {
  /** The source became ready, or failed to. */
  model_loaded: Loaded;
  /** Input tokens of a candidate request, by the source's tokenizer. */
  tokens_counted: TokenCount;
  /** One attempt, whatever became of it. */
  proposal_received: Attempt;
  /** The supervisor or the clock said stop, seen at one check point. */
  stop_requested: { readonly stop: StopWord };
  /** Something threw that no caller could answer. */
  harness_fault: { readonly error: string; readonly message: string };
  /** Durations of the whole run by kind, in milliseconds. */
  times_measured: { readonly elapsed_ms: JsonObject };
}

/** Derived events of the loop. */
export interface LoopDerived extends EventTable {
  request_assembled: { readonly messages: readonly Message[] };
  /** Bytes that came too late to count; they get no observation. */
  proposal_discarded: { readonly stop_reason: string };
  proposal_admitted: { readonly action: JsonObject };
  observation_made: {
    readonly observation: JsonObject;
    readonly counts: Counts;
  };
  loop_stopped: {
    readonly stop_reason: string;
    readonly detail: string | null;
    readonly proposals: number;
    readonly invalid_proposals: number;
  };
  /** The final report without the audit's own head. */
  run_ended: JsonObject;
}
