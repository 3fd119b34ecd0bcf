// The format of what the record keeps of a loaded model, for whoever reads it.

import { z } from "../system/zod.ts";

const count = z.int().nonnegative();
const size = z.int().positive();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const tokenId = z.int().nonnegative();
const tokenIds = z.array(tokenId).min(1).max(8);
const threads = z.strictObject({ intra_op: count, inter_op: count });
const file = {
  name: z.string(),
  bytes: count,
  git_blob_sha1: z.string().regex(/^[0-9a-f]{40}$/).nullable(),
};
const identity = {
  label: z.string(),
  pinned: z.boolean(),
  repository: z.string().nullable(),
  revision: z.string().nullable(),
  license: z.string().nullable(),
  threads,
};

const acquisition = z.strictObject({
  ledger_sha256: sha256,
  elapsed_s: count.nullable(),
  payload_bytes: count,
  within_window: z.boolean(),
});

/** The format of a manifest's `model`. */
export const declaredModelSchema = z.strictObject({
  ...identity,
  files: z.array(z.strictObject({ ...file, sha256: sha256.nullable() })),
  token_ids: z.strictObject({ begin: tokenId, pad: tokenId, end: tokenIds }),
  /** What was shown before the yes. */
  agreed_to: z.string(),
  /** Of a core trial. */
  acquisition: acquisition.nullable(),
});

/** The format of a loaded model's facts. */
export const modelFactsSchema = z.strictObject({
  ...identity,
  /** Each with the SHA-256 that was found, declared or not. */
  files: z.array(z.strictObject({ ...file, sha256 })),
  shape: z.strictObject({
    vocab_size: size,
    hidden_size: size,
    intermediate_size: size,
    num_hidden_layers: size,
    num_attention_heads: size,
    num_key_value_heads: size,
    head_dim: size,
    rms_norm_eps: z.number().positive(),
    rope_theta: z.number().positive(),
    max_position_embeddings: size,
  }),
  stored_precision: z.string(),
  effective_precision: z.string(),
  load_override: z.string(),
  execution_provider: z.string(),
  attention: z.string(),
  seed: z.int(),
  generation: z.object({
    bos_token_id: tokenId,
    pad_token_id: tokenId,
    eos_token_id: tokenIds,
  }).catchall(z.json()),
  /** Every setting in force, the library's own defaults included. */
  generation_in_force: z.record(z.string(), z.json()),
  decoding_rule: z.string(),
  prefill_block_tokens: count,
  graph_sha256: sha256,
  versions: z.strictObject({
    deno: z.string(),
    v8: z.string(),
    transformers_js: z.string(),
    onnxruntime_node: z.string(),
  }),
  /** Durations of the steps of loading, in milliseconds. */
  elapsed_ms: z.strictObject({
    verify: count,
    libraries: count,
    tokenizer: count,
    session: count,
  }),
});

/** What a manifest declares of a model. */
export type DeclaredModel = z.infer<typeof declaredModelSchema>;

/** What the record keeps of a loaded model. */
export type ModelFacts = z.infer<typeof modelFactsSchema>;
