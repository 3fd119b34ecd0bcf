// What the supervisor and the model worker say to each other. Every message is
// plain data; each answer repeats the number of the call that it answers, so
// that a late, double or unasked one is recognised as what it is.
//
// supervisor → worker        worker → supervisor
// load                       load_progress …, then loaded or failed
// count_tokens               counted or failed
// propose                    propose_progress …, then proposal or failed
//
// One call at a time. After `failed` in answer to `load` nothing else follows.
// Nothing here imports the libraries that run a model.

import { z } from "../system/zod.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Message } from "../agent/source.ts";
import type { CheckpointManifest } from "./checkpoint_manifest.ts";
import { MAX_SENTENCE } from "./model_refusal.ts";

/** Makes the worker ready, once, before anything else. */
export interface LoadCall {
  readonly type: "load";
  readonly call: number;
  /** Real path of the model folder; the worker may read nothing else. */
  readonly folder: string;
  /** Real path of the engine's verified binding: `installEngine().binding`. */
  readonly binding: string;
  /** `PINNED_CHECKPOINT`, or what `readCheckpointManifest` made of a file. */
  readonly manifest: CheckpointManifest;
  readonly threads: { readonly intraOp: number; readonly interOp: number };
}

/** Asks how many input tokens messages are. */
export interface CountCall {
  readonly type: "count_tokens";
  readonly call: number;
  readonly messages: readonly Message[];
}

/** Asks for one generation. */
export interface ProposeCall {
  readonly type: "propose";
  readonly call: number;
  readonly messages: readonly Message[];
  readonly maxNewTokens: number;
}

/** What the supervisor says. */
export type ToModelWorker = LoadCall | CountCall | ProposeCall;

/** The steps of loading, in their order. */
export const LOAD_STAGES = [
  "verify",
  "libraries",
  "tokenizer",
  "session",
] as const;

/** One of them. */
export type LoadStage = typeof LOAD_STAGES[number];

/** Threads of the engine (lab Part 8: at most two, and one). */
export const ENGINE_THREADS = { intraOp: 2, interOp: 1 } as const;

/** Seed of the libraries' random numbers (lab Part 8). */
export const SEED = 0;

/** Most new tokens of one proposal (lab Part 8). */
export const MAX_NEW_TOKENS = 128;

/** Most input tokens of one call, the chat template's included (lab Part 9). */
export const MAX_INPUT_TOKENS = 2_048;

/** Most UTF-8 bytes of a generated text; a tokenizer's tokens can be long. */
export const MAX_TEXT_BYTES = 32 * 1_024;

const call = z.int().nonnegative();
const count = z.int().nonnegative();
const ms = z.number().nonnegative();
const text = z.string().max(MAX_TEXT_BYTES);
const ids = (most: number) => z.array(count).max(most);
const facts = z.custom<JsonObject>((value) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
);

/** The format of what the record keeps of a generation. */
export const proposalFactsSchema = z.strictObject({
  /** SHA-256 of the verified weights that generated it. */
  weights_sha256: z.string().length(64),
  input_tokens: count,
  input_ids: ids(MAX_INPUT_TOKENS),
  /** SHA-256 over the input ids as 32-bit little-endian integers. */
  input_sha256: z.string().length(64),
  /** Input tokens whose keys and values the call before had computed. */
  reused_tokens: count,
  output_tokens: count,
  /** Every generated id, a terminal end token included. */
  raw_output_ids: ids(MAX_NEW_TOKENS),
  /** Whether generation ended for want of tokens, not by an end token. */
  ceiling_reached: z.boolean(),
  /** Control tokens that the messages spelled; they reached the model as text. */
  neutralised: z.array(z.strictObject({ token: text, count })).max(256),
  /** Durations in milliseconds; prefill ends with the first generated token. */
  elapsed_ms: z.strictObject({ tokenize: ms, prefill: ms, decode: ms }),
});

/** What the record keeps of a generation, beside its text. */
export type ProposalFacts = z.infer<typeof proposalFactsSchema>;

const fromModelWorker = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("load_progress"),
    call,
    stage: z.enum(LOAD_STAGES),
    /** Bytes verified so far, of how many. */
    bytes: count,
    total_bytes: count,
  }),
  z.strictObject({ type: z.literal("loaded"), call, facts }),
  z.strictObject({ type: z.literal("counted"), call, tokens: count }),
  z.strictObject({
    type: z.literal("propose_progress"),
    call,
    stage: z.enum(["prefill", "decode"]),
    /** Tokens of that stage so far; the input's are known from the start. */
    tokens: count,
    input_tokens: count,
    tokens_per_second: z.number().nonnegative(),
    /** Text generated so far; data, to be shown escaped. */
    text,
  }),
  z.strictObject({
    type: z.literal("proposal"),
    call,
    text,
    facts: proposalFactsSchema,
  }),
  z.strictObject({
    type: z.literal("failed"),
    call,
    /** One sentence, without paths. */
    sentence: z.string().max(MAX_SENTENCE),
  }),
]);

/** What the worker says. */
export type FromModelWorker = z.infer<typeof fromModelWorker>;

/**
 * Reads a message that came from the worker.
 *
 * @returns Null if it isn't one: something that the worker never says.
 */
export function readModelWorkerMessage(value: unknown): FromModelWorker | null {
  const parsed = fromModelWorker.safeParse(value);
  return parsed.success ? parsed.data : null;
}
