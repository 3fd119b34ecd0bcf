// Lab Part 3: the proposal source is replaceable; everything behind it is
// shared by the baseline, the model and the caller's own program.

import type { Gate } from "./gate.ts";
import type { JsonObject } from "./json.ts";

/** One chat message. */
export interface Message extends JsonObject {
  readonly role: "system" | "user";
  readonly content: string;
}

/** What a source is asked in one attempt. */
export interface Request {
  readonly proposalNumber: number;
  readonly messages: readonly Message[];
}

/** How an attempt can fail to bring a proposal. */
export type AttemptFailure = "cancelled" | "time_limit" | "model_error";

/**
 * One attempt, whatever became of it. The bytes are kept exactly: as text where
 * they are UTF-8, else as base64; neither where none arrived.
 */
export interface Attempt extends JsonObject {
  readonly proposal_text?: string;
  readonly proposal_base64?: string;
  readonly failed?: AttemptFailure;
  /** Why it failed: one trusted sentence, without paths. */
  readonly detail?: string;
  readonly elapsed_ms: number;
  /** What the source tells about the attempt: tokens, ids, times. */
  readonly source_facts?: JsonObject;
}

/** What a source tells when it is ready, or why it isn't. */
export interface Loaded extends JsonObject {
  readonly failed?: AttemptFailure;
  readonly detail?: string;
  readonly elapsed_ms: number;
  readonly source_facts?: JsonObject;
}

/** A question that got no answer. */
export interface Unanswered extends JsonObject {
  readonly failed: AttemptFailure;
  /** Why: one trusted sentence, without paths. */
  readonly detail?: string;
  readonly elapsed_ms: number;
}

/** Input tokens of a candidate request, or why they could not be counted. */
export type TokenCount = { readonly tokens: number } | Unanswered;

/** Where proposals come from. */
export interface Source {
  /** Makes the source ready, once, before the first request. */
  load?(gate: Gate): Promise<Loaded>;
  /** Input tokens of these messages under the source's own tokenizer. */
  countTokens?(messages: readonly Message[]): Promise<TokenCount>;
  /** One attempt; resolves in every case, at the call's deadline at the latest. */
  propose(request: Request, gate: Gate): Promise<Attempt>;
}
