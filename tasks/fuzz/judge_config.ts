// Which `config.json` this program runs, a second time: what must be there,
// what must have one value, and which sizes fit together.

import { isDeepStrictEqual } from "node:util";
import type { ModelConfig } from "../../lib/model/model_config.ts";
import { judgeJson, losesNumber } from "./judge_json.ts";

const FIXED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["architectures", ["Qwen2ForCausalLM"]],
  ["model_type", "qwen2"],
  ["hidden_act", "silu"],
  ["tie_word_embeddings", true],
  ["attention_dropout", 0],
  ["rope_scaling", null],
  ["torch_dtype", "bfloat16"],
  ["dtype", "bfloat16"],
  ["use_cache", true],
  ["use_sliding_window", false],
]);

const IGNORED = new Set(
  ("bos_token_id eos_token_id initializer_range max_window_layers " +
    "pad_token_id sliding_window transformers_version").split(" "),
);

/** Greatest sizes, by name. */
const SIZES: ReadonlyMap<string, number> = new Map([
  ["hidden_size", 16_384],
  ["intermediate_size", 65_536],
  ["max_position_embeddings", 16_777_216],
  ["num_attention_heads", 256],
  ["num_hidden_layers", 256],
  ["num_key_value_heads", 256],
  ["vocab_size", 1_048_576],
]);

/** The network that a `config.json` describes; null where it is refused. */
export function judgeConfig(bytes: Uint8Array): ModelConfig | null {
  const json = judgeJson(bytes, 8);
  if (!json.ok || losesNumber(bytes)) return null;
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return null;
  }
  const config = new Map<string, unknown>(Object.entries(value));
  for (const key of [...FIXED.keys()].slice(0, 4)) {
    if (!config.has(key)) return null;
  }
  for (const [key, one] of config) {
    if (FIXED.has(key)) {
      if (!isDeepStrictEqual(one, FIXED.get(key))) return null;
    } else if (key === "layer_types") {
      if (!Array.isArray(one)) return null;
      if (one.some((type) => type !== "full_attention")) return null;
    } else if (
      !IGNORED.has(key) && !SIZES.has(key) &&
      !/^(?:head_dim|rms_norm_eps|rope_theta)$/.test(key)
    ) return null;
  }
  return sizesOf(config);
}

function sizesOf(config: ReadonlyMap<string, unknown>): ModelConfig | null {
  const sizes = new Map<string, number>();
  for (const [key, most] of SIZES) {
    const size = config.get(key);
    if (!isWhole(size, most)) return null;
    sizes.set(key, size);
  }
  const of = (key: string) => sizes.get(key)!;
  const heads = of("num_attention_heads");
  const given = config.get("head_dim");
  if (given !== undefined && !isWhole(given, 1_024)) return null;
  const headSize = given ?? of("hidden_size") / heads;
  if (headSize % 2 !== 0 || heads % of("num_key_value_heads") !== 0) {
    return null;
  }
  if (of("num_hidden_layers") * of("num_key_value_heads") > 1_024) return null;
  const [epsilon, theta] = [
    config.get("rms_norm_eps"),
    config.get("rope_theta"),
  ];
  if (!isPositive(epsilon) || !isPositive(theta)) return null;
  return {
    vocabSize: of("vocab_size"),
    hiddenSize: of("hidden_size"),
    intermediateSize: of("intermediate_size"),
    layers: of("num_hidden_layers"),
    attentionHeads: heads,
    keyValueHeads: of("num_key_value_heads"),
    headSize,
    rmsNormEpsilon: epsilon,
    ropeTheta: theta,
    maxPositions: of("max_position_embeddings"),
  };
}

function isWhole(value: unknown, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}
