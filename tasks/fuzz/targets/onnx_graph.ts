// From `config.json` to a graph: a sentence that refuses it, or a graph that the
// engine loads and runs, where the network is tiny. An input is the text of a
// `config.json`; the weights that fit it are made up, all of them alike.

import assert from "node:assert/strict";
import { KeyValueCache } from "../../../lib/model/key_value_cache.ts";
import {
  type ModelConfig,
  readModelConfig,
} from "../../../lib/model/model_config.ts";
import { ModelRefusal } from "../../../lib/model/model_refusal.ts";
import { openNetwork } from "../../../lib/model/network.ts";
import { qwen2Graph } from "../../../lib/model/qwen2_graph.ts";
import {
  qwen2Tensors,
  requireQwen2Tensors,
  type WeightMap,
} from "../../../lib/model/qwen2_tensors.ts";
import type { OnnxRuntime } from "../../../lib/model/runtime.ts";
import { ENGINE_THREADS } from "../../../lib/model/worker_protocol.ts";
import { openRuntime, TINY_MANIFEST } from "../../../tests/model_fixture.ts";
import type { Random } from "../../../tests/expression_generator.ts";
import { assertMessage, outcomeOf, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson, writeJson } from "../json_grammar.ts";
import { judgeConfig } from "../judge_config.ts";

/** Largest network that is run, in elements of its weights. */
const MAX_ELEMENTS = 1 << 16;
/** Most key-value heads, over all layers, of a graph that is built at all. */
const MAX_CACHED_HEADS = 256;
const WEIGHTS = "model.safetensors";

/** Fuzzes the way from a configuration to a graph. */
export async function onnxGraphTarget(
  build = qwen2Graph,
): Promise<FuzzTarget> {
  const { onnx } = await openRuntime();
  const folder = Deno.makeTempDirSync();
  // 0x3c3c is 0.0115 in BF16, at every offset that is even.
  Deno.writeFileSync(
    `${folder}/${WEIGHTS}`,
    new Uint8Array(8 + 2 * MAX_ELEMENTS).fill(0x3c),
  );
  const engine: Engine = { onnx, folder, build, loaded: new Set() };
  return {
    name: "onnx_graph",
    maxBytes: 4_096,
    words: [...JSON_WORDS, ...KEYS, '"head_dim":2,', "1e-320", "1e308", "0.5"],
    generate: (random) => bytesOf(writeConfig(random)),
    mutate: mutateJson,
    judge: (input) => judge(input, engine),
    end: () => Deno.removeSync(folder, { recursive: true }),
  };
}

interface Engine {
  readonly onnx: OnnxRuntime;
  readonly folder: string;
  readonly build: typeof qwen2Graph;
  /** Configurations whose graph was loaded; the engine is slow. */
  readonly loaded: Set<string>;
}

const KEYS =
  ("hidden_size intermediate_size max_position_embeddings head_dim vocab_size " +
    "num_attention_heads num_hidden_layers num_key_value_heads rope_theta " +
    "rms_norm_eps architectures layer_types auto_map").split(" ");

async function judge(input: Uint8Array, engine: Engine): Promise<string> {
  const found = twice(() =>
    outcomeOf(() => readModelConfig(input, TINY_MANIFEST), ModelRefusal)
  );
  const second = judgeConfig(input);
  if (!found.ok) {
    assert.equal(
      second,
      null,
      `refused, where it is in order: ${found.message}`,
    );
    assertMessage(found.message, 2_048);
    assert.doesNotMatch(found.message.replaceAll(/"[^"]*"/g, ""), /NaN|undef/);
    return shapeOf(found.message);
  }
  assert.deepEqual(found.value, second);
  const config = found.value;
  if (config.layers * config.keyValueHeads > MAX_CACHED_HEADS) return "large";
  const weights = madeUp(config);
  requireQwen2Tensors(config, weights.map);
  const graph = engine.build(config, weights.map, WEIGHTS);
  assert.deepEqual(engine.build(config, weights.map, WEIGHTS), graph);
  if (weights.elements > MAX_ELEMENTS || config.layers > 3) return "built";
  return await run(config, graph, engine);
}

/** Weights for a network, one tensor after the other. */
function madeUp(config: ModelConfig): { map: WeightMap; elements: number } {
  let elements = 0;
  const map = new Map(
    qwen2Tensors(config).map(([name, shape]) => {
      const count = shape.reduce((product, size) => product * size, 1);
      const tensor = {
        dtype: "BF16",
        shape,
        offset: 8 + 2 * elements,
        length: 2 * count,
      };
      elements += count;
      return [name, tensor] as const;
    }),
  );
  return { map, elements };
}

async function run(
  config: ModelConfig,
  graph: Uint8Array,
  { onnx, folder, loaded }: Engine,
): Promise<string> {
  const key = JSON.stringify(config);
  if (loaded.has(key)) return "loaded";
  const network = await openNetwork(
    onnx,
    graph,
    folder,
    config,
    ENGINE_THREADS,
  );
  try {
    const cache = new KeyValueCache(config, 4);
    const ids = [0, config.vocabSize - 1, 0];
    const logits = await network.forward(ids, cache, 2);
    assert.equal(logits.length, 2 * config.vocabSize);
    const next = await network.forward([0], cache, 1);
    assert.equal(next.length, config.vocabSize);
    assert.equal(cache.length, 4);
    const { rmsNormEpsilon: epsilon, ropeTheta: theta } = config;
    const sane = epsilon > 1e-30 && epsilon < 1e30 && theta > 1 && theta < 1e30;
    if (sane) assert.ok(next.every(Number.isFinite), "logits without end");
    loaded.add(key);
    return `run, ${config.layers} layers, ${sane}`;
  } finally {
    await network.release();
  }
}

function writeConfig(random: Random): string {
  const keyValueHeads = random.pick([1, 1, 2, 3]);
  const heads = keyValueHeads * random.pick([1, 1, 2, 3]);
  const headSize = random.pick([2, 2, 4, 6, 3]);
  const config: Record<string, unknown> = {
    architectures: ["Qwen2ForCausalLM"],
    model_type: "qwen2",
    hidden_act: "silu",
    tie_word_embeddings: true,
    hidden_size: random.chance(60) ? heads * headSize : 1 + random.below(20),
    intermediate_size: 1 + random.below(20),
    max_position_embeddings: random.pick([1, 8, 32_768]),
    num_attention_heads: heads,
    num_hidden_layers: 1 + random.below(3),
    num_key_value_heads: keyValueHeads,
    rms_norm_eps: random.pick([1e-6, 1e-5, 1, 1e-300, 1e300]),
    rope_theta: random.pick([1e6, 1e4, 1, 0.5, 1e-300, 1e300]),
    vocab_size: 1 + random.below(40),
  };
  if (random.chance(60)) config["head_dim"] = headSize;
  if (random.chance(20)) config["layer_types"] = ["full_attention"];
  if (random.chance(20)) config["torch_dtype"] = "bfloat16";
  const text = JSON.stringify(config);
  if (random.chance(80)) return text;
  return text.replace(/:[^,]+,/, `:${writeJson(random, 2)},`);
}
