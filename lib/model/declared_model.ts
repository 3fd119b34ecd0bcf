// What a manifest declares of a model before it is loaded, and what of a loaded
// model's facts follows from that. A trial writes both, and verification holds
// both against them; nothing here imports what runs a model.

import type { JsonObject } from "../agent/json.ts";
import {
  type CheckpointManifest,
  PINNED_CHECKPOINT,
} from "./checkpoint_manifest.ts";
import { generationSettings } from "./generation.ts";
import { BLOCK_TOKENS } from "./prefix_prefill.ts";
import { ENGINE_THREADS, MAX_NEW_TOKENS, SEED } from "./worker_protocol.ts";

/** The decoder's rule (lab Part 8). */
const DECODING_RULE =
  "Of the generated ids at most one terminal end token is left out; all others, special ones included, are decoded without clean-up. Nothing is trimmed, extracted or repaired.";

/** What a run's manifest declares of a checkpoint. */
export function declaredModel(manifest: CheckpointManifest): JsonObject {
  const { tokenIds } = manifest;
  return {
    label: manifest.label,
    pinned: manifest.pinned,
    repository: manifest.repository,
    revision: manifest.revision,
    license: manifest.license,
    files: manifest.files.map((file) => ({
      name: file.name,
      bytes: file.bytes,
      sha256: file.sha256 ?? null,
      git_blob_sha1: file.gitBlobSha1 ?? null,
    })),
    token_ids: {
      begin: tokenIds.begin,
      pad: tokenIds.pad,
      end: [...tokenIds.end],
    },
    threads: {
      intra_op: ENGINE_THREADS.intraOp,
      inter_op: ENGINE_THREADS.interOp,
    },
  };
}

/** Facts of a loaded model that follow from its checkpoint's declaration. */
export function declaredFacts(
  manifest: Omit<CheckpointManifest, "files" | "config">,
): JsonObject {
  const { tokenIds } = manifest;
  return {
    label: manifest.label,
    pinned: manifest.pinned,
    repository: manifest.repository,
    revision: manifest.revision,
    license: manifest.license,
    stored_precision: "bfloat16",
    effective_precision: "float32",
    load_override:
      "Weights are stored as BF16 and cast to FP32 once, when loaded",
    execution_provider: "cpu",
    attention: "eager",
    threads: {
      intra_op: ENGINE_THREADS.intraOp,
      inter_op: ENGINE_THREADS.interOp,
    },
    seed: SEED,
    generation: {
      ...generationSettings(tokenIds, MAX_NEW_TOKENS),
      eos_token_id: [...tokenIds.end],
    },
    decoding_rule: DECODING_RULE,
    prefill_block_tokens: BLOCK_TOKENS,
  };
}

/** The network's shape by the lab's pinned configuration. */
export function pinnedShape(): JsonObject {
  const config = PINNED_CHECKPOINT.config as Readonly<Record<string, number>>;
  const taken = [
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "rms_norm_eps",
    "rope_theta",
    "max_position_embeddings",
  ].map((name) => [name, config[name]!] as const);
  return {
    ...Object.fromEntries(taken),
    head_dim: config["hidden_size"]! / config["num_attention_heads"]!,
  };
}
