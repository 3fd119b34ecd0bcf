// What the loop needs to know of a task: nothing of files, expressions or
// models. The lab's task is one implementation; tests hold another.

import type { JsonObject } from "./json.ts";
import type { Message, TokenCount } from "./source.ts";

/** Terminal states of the loop itself (lab Part 9). */
export type LoopStop =
  | "cancelled"
  | "time_limit"
  | "model_error"
  | "harness_error"
  | "proposal_limit"
  | "invalid_proposal_limit";

/** How an outcome counts toward the consecutive invalid proposals. */
export type Counts = "valid" | "invalid" | "neutral";

/** What the controller answers to one proposal. */
export interface Outcome<Stop extends string> {
  readonly observation: JsonObject;
  readonly counts: Counts;
  /** The state that ends the run, where the outcome does. */
  readonly stop?: Stop | LoopStop;
  /** More about the stop: one trusted sentence, without paths. */
  readonly detail?: string;
}

/** A proposal's verdict: an action that passed the contract, or a denial. */
export type Verdict<Action, Stop extends string> =
  | { readonly action: Action }
  | { readonly refused: Outcome<Stop> };

/** Counts the tokens of a candidate; null where the source has no tokenizer. */
export type Measure = (
  messages: readonly Message[],
) => Promise<TokenCount | null>;

/** A closed set of actions on a world of its own, with an evaluation. */
export interface Task<Action extends JsonObject, Stop extends string> {
  /** Most proposals in a run, and most consecutive invalid ones. */
  readonly limits: { readonly proposals: number; readonly invalid: number };
  /** The next request's messages, compacted to what the source can take. */
  assemble(
    measure: Measure,
  ): Promise<
    { messages: readonly Message[] } | {
      stop: Stop | LoopStop;
      detail?: string | undefined;
    }
  >;
  /** Pure: the same bytes in the same state give the same verdict. */
  admit(proposal: Uint8Array): Verdict<Action, Stop>;
  /** Carries an admitted action out, or refuses it with a reason. */
  perform(action: Action): Outcome<Stop> | Promise<Outcome<Stop>>;
  /** Learns what its observation became part of: the log of later requests. */
  remember(outcome: Outcome<Stop>, eventId: number): void;
  /** Judges the final state, once, after the loop. */
  evaluate(stop: Stop | LoopStop): JsonObject;
  /**
   * After the process of a run died: closes what was open from what is there
   * now, and reports like {@link evaluate} without evaluating.
   */
  recover(): JsonObject;
}
