// Lab Part 2: the pinned configuration, field by field. For an extension the
// architecture must be the same one, of any size; every other field is known or
// refused, so that nothing in the file changes the network without a word.

import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../agent/json.ts";
import { toPlainJson } from "../system/plain_json.ts";
import { scanJson } from "../system/strict_json.ts";
import type { CheckpointManifest } from "./checkpoint_manifest.ts";
import { refuse, shown } from "./model_refusal.ts";

/** Shape of a Qwen2 network; all counts are of elements. */
export interface ModelConfig {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly layers: number;
  readonly attentionHeads: number;
  /** Each is shared by `attentionHeads / keyValueHeads` attention heads. */
  readonly keyValueHeads: number;
  readonly headSize: number;
  readonly rmsNormEpsilon: number;
  readonly ropeTheta: number;
  /** Most positions, in tokens. */
  readonly maxPositions: number;
}

/** What must have exactly this value, where the field is there at all. */
const FIXED: Readonly<Record<string, Json>> = {
  architectures: ["Qwen2ForCausalLM"],
  attention_dropout: 0,
  hidden_act: "silu",
  model_type: "qwen2",
  rope_scaling: null,
  tie_word_embeddings: true,
  torch_dtype: "bfloat16",
  dtype: "bfloat16",
  use_cache: true,
  use_sliding_window: false,
};

/** What must be there, besides the sizes. */
const NEEDED = [
  "architectures",
  "model_type",
  "hidden_act",
  "tie_word_embeddings",
];

/** What says nothing about a forward pass of this program. */
const WITHOUT_EFFECT = [
  "bos_token_id",
  "eos_token_id",
  "initializer_range",
  "max_window_layers",
  "pad_token_id",
  "sliding_window",
  "transformers_version",
];

const SIZES = {
  hidden_size: 16_384,
  intermediate_size: 65_536,
  max_position_embeddings: 1 << 24,
  num_attention_heads: 256,
  num_hidden_layers: 256,
  num_key_value_heads: 256,
  vocab_size: 1 << 20,
} as const;

/**
 * Most key-value heads over all layers. Each is two inputs of the graph, and the
 * engine takes the square of their number to open it: seconds at this limit,
 * days at that of the sizes alone, for weights of a few megabytes.
 */
const MAX_CACHED_HEADS = 1_024;

/**
 * Most elements of a token's keys over all layers. With the values, in 32 bits,
 * the longest call's tokens take 1.2 GB at this limit; the pinned network has
 * 3,072.
 */
const MAX_CACHED_ELEMENTS = 65_536;

/**
 * Reads `config.json`.
 *
 * @throws {ModelRefusal} If it asks for anything but the one architecture, or
 * differs from the pinned configuration where the manifest has one.
 */
export function readModelConfig(
  bytes: Uint8Array,
  manifest: CheckpointManifest,
): ModelConfig {
  const config = configObject(bytes);
  for (const key of ["auto_map", "custom_pipelines", "trust_remote_code"]) {
    if (key in config) {
      refuse(
        `"config.json" has "${key}", which asks for code from outside: this program runs none`,
      );
    }
  }
  if (manifest.config !== null) requirePinned(config, manifest.config);
  requireKnown(config);
  return shapeOf(config);
}

function configObject(bytes: Uint8Array): JsonObject {
  const scan = scanJson(bytes, { maxDepth: 8 });
  if (!scan.ok) refuse(`"config.json" isn't JSON: ${scan.message}`);
  const plain = toPlainJson(scan.value);
  if (!plain.ok) refuse(`"config.json": ${plain.message}`);
  const { value } = plain;
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    refuse(`"config.json" isn't a JSON object`);
  }
  return value as JsonObject;
}

function requirePinned(config: JsonObject, pinned: JsonObject): void {
  for (const key of new Set([...Object.keys(pinned), ...Object.keys(config)])) {
    if (!same(config[key], pinned[key])) {
      refuse(
        `"config.json" has ${shown(key)} ${
          text(config[key])
        }: the pinned value is ${text(pinned[key])}`,
      );
    }
  }
}

function requireKnown(config: JsonObject): void {
  for (const key of NEEDED) {
    if (!(key in config)) refuse(`"config.json" lacks "${key}"`);
  }
  for (const [key, value] of Object.entries(config)) {
    if (Object.hasOwn(FIXED, key)) {
      if (same(value, FIXED[key])) continue;
      refuse(
        `"config.json" has "${key}" ${text(value)}: this program runs only ${
          text(FIXED[key])
        }`,
      );
    }
    if (key === "layer_types") {
      if (
        Array.isArray(value) && value.every((type) => type === "full_attention")
      ) continue;
      refuse(`"config.json" has layers other than "full_attention"`);
    }
    if (
      !WITHOUT_EFFECT.includes(key) && !Object.hasOwn(SIZES, key) &&
      !["head_dim", "rms_norm_eps", "rope_theta"].includes(key)
    ) {
      refuse(
        `"config.json" has ${shown(key)}, which this program doesn't know`,
      );
    }
  }
}

function shapeOf(config: JsonObject): ModelConfig {
  const size = (key: keyof typeof SIZES) => count(key, config[key], SIZES[key]);
  const hiddenSize = size("hidden_size");
  const attentionHeads = size("num_attention_heads");
  const keyValueHeads = size("num_key_value_heads");
  const headSize = config["head_dim"] === undefined
    ? hiddenSize / attentionHeads
    : count("head_dim", config["head_dim"], 1_024);
  if (!Number.isInteger(headSize) || headSize % 2 !== 0) {
    refuse(
      `"config.json" has heads of ${headSize} elements: rotary positions need an even whole number`,
    );
  }
  if (attentionHeads % keyValueHeads !== 0) {
    refuse(
      `"config.json" has ${attentionHeads} attention heads, which ${keyValueHeads} key-value heads can't share evenly`,
    );
  }
  const layers = size("num_hidden_layers");
  if (layers * keyValueHeads > MAX_CACHED_HEADS) {
    refuse(
      `"config.json" has ${layers} layers of ${keyValueHeads} key-value heads: at most ${MAX_CACHED_HEADS} heads in all are run`,
    );
  }
  if (layers * keyValueHeads * headSize > MAX_CACHED_ELEMENTS) {
    refuse(
      `"config.json" has ${layers} layers of ${keyValueHeads} key-value heads of ${headSize} elements: at most ${MAX_CACHED_ELEMENTS} elements in all are run`,
    );
  }
  return {
    vocabSize: size("vocab_size"),
    hiddenSize,
    intermediateSize: size("intermediate_size"),
    layers,
    attentionHeads,
    keyValueHeads,
    headSize,
    rmsNormEpsilon: positive("rms_norm_eps", config["rms_norm_eps"]),
    ropeTheta: positive("rope_theta", config["rope_theta"]),
    maxPositions: size("max_position_embeddings"),
  };
}

function count(key: string, value: Json | undefined, most: number): number {
  if (
    typeof value === "number" && Number.isInteger(value) && value >= 1 &&
    value <= most
  ) return value;
  return refuse(
    `"config.json" has "${key}" ${
      text(value)
    }: a whole number from 1 to ${most} is needed`,
  );
}

function positive(key: string, value: Json | undefined): number {
  if (typeof value === "number" && value > 0) return value;
  return refuse(
    `"config.json" has "${key}" ${text(value)}: a positive number is needed`,
  );
}

// The reader's objects have no prototype, those of a JSON module have one.
function same(a: Json | undefined, b: Json | undefined): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}

function text(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return shown(value);
  return shown(JSON.stringify(value)).slice(1, -1);
}
