import {
  deepStrictEqual as equal,
  match,
  ok,
  throws,
} from "node:assert/strict";
import {
  type CheckpointManifest,
  PINNED_CHECKPOINT,
} from "./checkpoint_manifest.ts";
import { readModelConfig } from "./model_config.ts";
import { ModelRefusal } from "./model_refusal.ts";

const PINNED = PINNED_CHECKPOINT.config!;
const EXTENSION: CheckpointManifest = {
  ...PINNED_CHECKPOINT,
  pinned: false,
  config: null,
};

const bytes = (value: unknown) =>
  new TextEncoder().encode(JSON.stringify(value));
const without = (key: string) =>
  Object.fromEntries(Object.entries(PINNED).filter(([name]) => name !== key));

function refused(
  value: unknown,
  why: RegExp,
  manifest: CheckpointManifest = EXTENSION,
): void {
  throws(
    () =>
      readModelConfig(
        value instanceof Uint8Array ? value : bytes(value),
        manifest,
      ),
    (error) => {
      ok(error instanceof ModelRefusal);
      match(error.message, why);
      match(error.message, /^"config.json"[^\n]*$/);
      return true;
    },
  );
}

Deno.test("readModelConfig() reads the pinned configuration", () => {
  for (const manifest of [PINNED_CHECKPOINT, EXTENSION]) {
    equal(readModelConfig(bytes(PINNED), manifest), {
      vocabSize: 151_936,
      hiddenSize: 896,
      intermediateSize: 4_864,
      layers: 24,
      attentionHeads: 14,
      keyValueHeads: 2,
      headSize: 64,
      rmsNormEpsilon: 1e-6,
      ropeTheta: 1e6,
      maxPositions: 32_768,
    });
  }
});

Deno.test("readModelConfig() refuses any difference from the pinned configuration", () => {
  for (const [key, value] of Object.entries(PINNED)) {
    const other = typeof value === "number"
      ? value + 1
      : typeof value === "boolean"
      ? !value
      : "other";
    refused(
      { ...PINNED, [key]: other },
      new RegExp(`has "${key}" .*the pinned value is`),
      PINNED_CHECKPOINT,
    );
    refused(
      without(key),
      new RegExp(`has "${key}" missing: the pinned value is`),
      PINNED_CHECKPOINT,
    );
  }
  refused(
    { ...PINNED, head_dim: 64 },
    /has "head_dim" 64: the pinned value is missing/,
    PINNED_CHECKPOINT,
  );
});

Deno.test("readModelConfig() refuses code from outside before anything else", () => {
  for (const manifest of [PINNED_CHECKPOINT, EXTENSION]) {
    refused(
      { ...PINNED, auto_map: { AutoModelForCausalLM: "modeling.Model" } },
      /has "auto_map", which asks for code/,
      manifest,
    );
  }
});

Deno.test("readModelConfig() refuses another architecture", () => {
  refused(
    { ...PINNED, architectures: ["LlamaForCausalLM"] },
    /has "architectures"/,
  );
  refused({ ...PINNED, model_type: "qwen3" }, /has "model_type" "qwen3"/);
  refused({ ...PINNED, hidden_act: "gelu" }, /has "hidden_act"/);
  refused(
    { ...PINNED, tie_word_embeddings: false },
    /has "tie_word_embeddings" false: this program runs only true/,
  );
  refused({ ...PINNED, use_sliding_window: true }, /has "use_sliding_window"/);
  refused({ ...PINNED, rope_scaling: { type: "yarn" } }, /has "rope_scaling"/);
  refused({ ...PINNED, torch_dtype: "float16" }, /has "torch_dtype"/);
  refused(
    { ...PINNED, layer_types: ["full_attention", "sliding_attention"] },
    /layers other than/,
  );
  refused(
    { ...PINNED, quantization_config: {} },
    /has "quantization_config", which this program doesn't know/,
  );
  for (
    const key of [
      "architectures",
      "model_type",
      "hidden_act",
      "tie_word_embeddings",
    ]
  ) {
    refused(without(key), new RegExp(`lacks "${key}"`));
  }
});

Deno.test("readModelConfig() refuses sizes that no network has", () => {
  for (
    const key of [
      "hidden_size",
      "num_hidden_layers",
      "vocab_size",
      "intermediate_size",
    ]
  ) {
    for (const value of [0, -1, 1.5, "1", null, 2 ** 40]) {
      refused({ ...PINNED, [key]: value }, new RegExp(`has "${key}"`));
    }
    refused(without(key), new RegExp(`has "${key}" missing`));
  }
  refused(
    { ...PINNED, num_key_value_heads: 3 },
    /14 attention heads, which 3 key-value heads/,
  );
  refused(
    { ...PINNED, num_attention_heads: 15, num_key_value_heads: 1 },
    /heads of 59\.7/,
  );
  const many = { ...PINNED, num_attention_heads: 64, num_key_value_heads: 64 };
  const sized = { ...many, head_dim: 2 };
  equal(
    readModelConfig(bytes({ ...sized, num_hidden_layers: 16 }), EXTENSION)
      .layers,
    16,
  );
  refused(
    { ...sized, num_hidden_layers: 17 },
    /has 17 layers of 64 key-value heads: at most 1024 heads in all are run$/,
  );
  const wide = {
    ...many,
    num_attention_heads: 32,
    num_key_value_heads: 32,
    head_dim: 128,
  };
  equal(
    readModelConfig(bytes({ ...wide, num_hidden_layers: 16 }), EXTENSION)
      .headSize,
    128,
  );
  refused(
    { ...wide, num_hidden_layers: 17 },
    /has 17 layers of 32 key-value heads of 128 elements: at most 65536 elements in all are run$/,
  );
  refused(
    { ...PINNED, hidden_size: 0 },
    /^"config.json" has "hidden_size" 0: a whole number/,
  );
  refused(
    { ...PINNED, hidden_size: "0" },
    /^"config.json" has "hidden_size" "0": a whole number/,
  );
  refused(
    { ...PINNED, hidden_act: ["silu"] },
    /^"config.json" has "hidden_act" \["silu"\]: this program runs only "silu"$/,
  );
  refused({ ...PINNED, head_dim: 63 }, /heads of 63 elements/);
  refused({ ...PINNED, rms_norm_eps: 0 }, /has "rms_norm_eps"/);
  refused({ ...PINNED, rope_theta: -1 }, /has "rope_theta"/);
});

Deno.test("readModelConfig() refuses what isn't one JSON object", () => {
  refused(new TextEncoder().encode("{"), /isn't JSON/);
  refused([PINNED], /isn't a JSON object/);
  refused(
    new TextEncoder().encode('{"a":1,"a":2}'),
    /isn't JSON: Duplicate key/,
  );
  refused(
    new TextEncoder().encode('{"vocab_size":1e999}'),
    /cannot be kept exactly/,
  );
});

Deno.test("readModelConfig() takes an extension of another size", () => {
  const read = readModelConfig(
    bytes({
      ...PINNED,
      hidden_size: 64,
      num_attention_heads: 4,
      head_dim: 16,
      layer_types: ["full_attention"],
    }),
    EXTENSION,
  );
  equal([read.hiddenSize, read.attentionHeads, read.headSize], [64, 4, 16]);
});
