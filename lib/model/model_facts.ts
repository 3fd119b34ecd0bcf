// Lab Part 10: what the record keeps of a loaded model.

import { createHash } from "node:crypto";
import type { JsonObject } from "../agent/json.ts";
import type { VerifiedFile } from "./checkpoint_files.ts";
import type { CheckpointManifest } from "./checkpoint_manifest.ts";
import { declaredFacts } from "./declared_model.ts";
import type { ModelConfig } from "./model_config.ts";
import type { ModelRuntime } from "./runtime.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** What is known of a model once it is loaded. */
export interface LoadedParts {
  readonly manifest: CheckpointManifest;
  readonly files: readonly Omit<VerifiedFile, "identity">[];
  readonly config: ModelConfig;
  /** Bytes of the network's graph. */
  readonly graph: Uint8Array;
  readonly runtime: Pick<ModelRuntime, "versions">;
  readonly times: Pick<Stopwatch, "all">;
  /** Every setting of a generation, the library's defaults included. */
  readonly inForce: JsonObject;
}

/** Identity, precision, engine, settings, rules, versions and times. */
export function modelFacts(parts: LoadedParts): JsonObject {
  return {
    ...declaredFacts(parts.manifest),
    files: parts.files.map(({ name, bytes, sha256, gitBlobSha1 }) => ({
      name,
      bytes,
      sha256,
      git_blob_sha1: gitBlobSha1,
    })),
    shape: shapeFacts(parts.config),
    generation_in_force: parts.inForce,
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
