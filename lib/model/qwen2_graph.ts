// The forward pass of Qwen2ForCausalLM in plain ONNX operators. Weights stay
// where they are: each is BF16 at its offset in model.safetensors, and cast to
// FP32 once, when the session is made. Letters in shapes are those of
// graph_values.ts.

import { GraphValue } from "./graph_values.ts";
import type { ModelConfig } from "./model_config.ts";
import { ElementType, OnnxGraph, type Value } from "./onnx_graph.ts";
import { Qwen2Layers, type SharedValues } from "./qwen2_layers.ts";
import type { WeightMap } from "./qwen2_tensors.ts";

/** Greater than any position: a slice goes to its end. */
const TO_THE_END = 2 ** 53 - 1;
/** What a masked score is lowered by. */
const LOWEST_FLOAT = -3.4028234663852886e38;

/**
 * Builds the network's graph.
 *
 * @param weights Where each tensor lies in `file`.
 * @param file Name of the weights' file in the folder that the session is told.
 * @returns The ONNX model's bytes.
 */
export function qwen2Graph(
  config: ModelConfig,
  weights: WeightMap,
  file: string,
): Uint8Array {
  const graph = new OnnxGraph();
  addNetwork(graph, config, new Qwen2Layers(graph, config, weights, file));
  return graph.model("qwen2");
}

function addNetwork(
  g: OnnxGraph,
  config: ModelConfig,
  layers: Qwen2Layers,
): void {
  const { float32, int64 } = ElementType;
  const inputIds = g.input(GraphValue.inputIds, int64, ["S"]);
  g.input(GraphValue.positions, int64, ["S"]);
  g.input(GraphValue.keep, int64, [1]);
  declareCache(g, config);
  const shared = sharedByLayers(g, config, inputIds);
  let hidden = g.apply("Cast", [
    g.apply("Gather", [layers.stored("model.embed_tokens.weight"), inputIds]),
  ], { to: float32 });
  for (let layer = 0; layer < config.layers; layer++) {
    const prefix = `model.layers.${layer}`;
    hidden = g.apply("Add", [
      hidden,
      layers.attention(
        layers.normalized(hidden, `${prefix}.input_layernorm.weight`),
        layer,
        shared,
      ),
    ]);
    hidden = g.apply("Add", [
      hidden,
      layers.feedForward(
        layers.normalized(hidden, `${prefix}.post_attention_layernorm.weight`),
        `${prefix}.mlp`,
      ),
    ]);
  }
  const kept = g.apply("Slice", [
    hidden,
    g.apply("Neg", [GraphValue.keep]),
    g.ints(TO_THE_END),
    g.ints(0),
  ]);
  g.apply(
    "Gemm",
    [
      layers.normalized(kept, "model.norm.weight"),
      layers.weight("model.embed_tokens.weight"),
    ],
    { transB: 1 },
    GraphValue.logits,
  );
  g.output(GraphValue.logits, float32, ["kept", config.vocabSize]);
}

function declareCache(g: OnnxGraph, config: ModelConfig): void {
  const { layers, keyValueHeads, headSize } = config;
  for (let layer = 0; layer < layers; layer++) {
    for (const kind of ["key", "value"] as const) {
      for (let head = 0; head < keyValueHeads; head++) {
        g.input(
          GraphValue.past(kind, layer, head),
          ElementType.float32,
          ["P", headSize],
        );
      }
      g.output(
        GraphValue.added(kind, layer),
        ElementType.float32,
        [keyValueHeads, "S", headSize],
      );
    }
  }
}

function sharedByLayers(
  g: OnnxGraph,
  config: ModelConfig,
  inputIds: Value,
): SharedValues {
  const { headSize, attentionHeads, keyValueHeads } = config;
  const shape = (...sizes: (number | Value)[]) =>
    g.apply(
      "Concat",
      sizes.map((size) => typeof size === "number" ? g.ints(size) : size),
      { axis: 0 },
    );
  const count = g.apply("Shape", [inputIds]);
  const past = g.apply("Shape", [GraphValue.past("key", 0, 0)], {
    start: 0,
    end: 1,
  });
  const total = g.apply("Add", [past, count]);
  // Rotary angles, [S, D/2], the same for both halves of a head.
  const frequencies = Float32Array.from(
    { length: headSize / 2 },
    (_, index) => 1 / Math.pow(config.ropeTheta, 2 * index / headSize),
  );
  const angles = g.apply("Mul", [
    g.apply("Unsqueeze", [
      g.apply("Cast", [GraphValue.positions], { to: ElementType.float32 }),
      g.ints(1),
    ]),
    g.floats("rotary_frequencies", frequencies),
  ]);
  const table = (operator: string) => {
    const half = g.apply(operator, [angles]);
    return g.apply("Concat", [half, half], { axis: -1 });
  };
  // A token sees all tokens before this call, and those of it up to itself.
  const index = g.apply("Range", [
    g.int(0),
    g.apply("Squeeze", [count, g.ints(0)]),
    g.int(1),
  ]);
  const ofThisCall = g.apply("Where", [
    g.apply("LessOrEqual", [
      g.apply("Unsqueeze", [index, g.ints(0)]),
      g.apply("Unsqueeze", [index, g.ints(1)]),
    ]),
    g.float(0),
    g.float(LOWEST_FLOAT),
  ]);
  const ofThePast = g.apply("Expand", [g.float(0), shape(count, past)]);
  return {
    cos: table("Cos"),
    sin: table("Sin"),
    mask: g.apply("Concat", [ofThePast, ofThisCall], { axis: 1 }),
    queryShape: shape(count, attentionHeads, headSize),
    keyShape: shape(count, keyValueHeads, headSize),
    scoreShape: shape(attentionHeads / keyValueHeads, count, total),
    scoreRows: shape(-1, total),
    headShape: shape(attentionHeads, count, headSize),
  };
}
