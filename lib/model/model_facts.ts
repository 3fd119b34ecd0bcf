// Lab Part 10: what the record keeps of a loaded model.

import { createHash } from "node:crypto";
import type { JsonObject } from "../agent/json.ts";
import type { VerifiedFile } from "./checkpoint_files.ts";
import { generationSettings } from "./generation.ts";
import type { ModelConfig } from "./model_config.ts";
import { BLOCK_TOKENS } from "./prefix_prefill.ts";
import { type ModelRuntime, SEED } from "./runtime.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { type LoadCall, MAX_NEW_TOKENS } from "./worker_protocol.ts";

/** The decoder's rule (lab Part 8). */
export const DECODING_RULE =
  "Of the generated ids at most one terminal end token is left out; all others, special ones included, are decoded without clean-up. Nothing is trimmed, extracted or repaired.";

/** What is known of a model once it is loaded. */
export interface LoadedParts {
  readonly load: Pick<LoadCall, "manifest" | "threads">;
  readonly files: readonly VerifiedFile[];
  readonly config: ModelConfig;
  /** Bytes of the network's graph. */
  readonly graph: Uint8Array;
  readonly runtime: ModelRuntime;
  readonly times: Stopwatch;
  /** Every setting of a generation, the library's defaults included. */
  readonly inForce: JsonObject;
}

/** Identity, precision, engine, settings, rules, versions and times. */
export function modelFacts(parts: LoadedParts): JsonObject {
  const { manifest, threads } = parts.load;
  const { tokenIds } = manifest;
  return {
    label: manifest.label,
    pinned: manifest.pinned,
    repository: manifest.repository,
    revision: manifest.revision,
    license: manifest.license,
    files: parts.files.map(({ name, bytes, sha256, gitBlobSha1 }) => ({
      name,
      bytes,
      sha256,
      git_blob_sha1: gitBlobSha1,
    })),
    shape: shapeFacts(parts.config),
    stored_precision: "bfloat16",
    effective_precision: "float32",
    load_override:
      "Weights are stored as BF16 and cast to FP32 once, when loaded",
    execution_provider: "cpu",
    attention: "eager",
    threads: { intra_op: threads.intraOp, inter_op: threads.interOp },
    seed: SEED,
    generation: {
      ...generationSettings(tokenIds, MAX_NEW_TOKENS),
      eos_token_id: [...tokenIds.end],
    },
    generation_in_force: parts.inForce,
    decoding_rule: DECODING_RULE,
    prefill_block_tokens: BLOCK_TOKENS,
    graph_sha256: createHash("sha256").update(parts.graph).digest("hex"),
    versions: parts.runtime.versions,
    elapsed_ms: parts.times.all(),
  };
}

function shapeFacts(config: ModelConfig): JsonObject {
  return {
    vocab_size: config.vocabSize,
    hidden_size: config.hiddenSize,
    intermediate_size: config.intermediateSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.attentionHeads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headSize,
    rms_norm_eps: config.rmsNormEpsilon,
    rope_theta: config.ropeTheta,
    max_position_embeddings: config.maxPositions,
  };
}
