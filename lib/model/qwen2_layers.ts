// What a Qwen2 layer is made of, in plain ONNX operators. Letters in shapes are
// those of graph_values.ts.

import { GraphValue, type KeyOrValue } from "./graph_values.ts";
import type { ModelConfig } from "./model_config.ts";
import { ElementType, type OnnxGraph, type Value } from "./onnx_graph.ts";
import type { WeightMap } from "./qwen2_tensors.ts";

/** What depends on the call alone and is the same for every layer. */
export interface SharedValues {
  /** [S, D] each. */
  readonly cos: Value;
  readonly sin: Value;
  /** Added to scores, [S, T]: zero where a token may look. */
  readonly mask: Value;
  readonly queryShape: Value;
  readonly keyShape: Value;
  readonly scoreShape: Value;
  readonly scoreRows: Value;
  readonly headShape: Value;
}

/** Adds the parts of layers to a graph. */
export class Qwen2Layers {
  readonly #floatWeights = new Map<string, Value>();

  constructor(
    readonly graph: OnnxGraph,
    readonly config: ModelConfig,
    readonly weights: WeightMap,
    /** Name of the weights' file. */
    readonly file: string,
  ) {}

  /** Self-attention of one layer, [S, H]. */
  attention(input: Value, layer: number, shared: SharedValues): Value {
    const { graph: g, config } = this;
    const { attentionHeads, keyValueHeads, headSize } = config;
    const prefix = `model.layers.${layer}.self_attn`;
    const heads = (projection: string, shape: Value, name?: string) =>
      g.apply(
        "Transpose",
        [g.apply("Reshape", [
          this.#linear(
            input,
            `${prefix}.${projection}.weight`,
            `${prefix}.${projection}.bias`,
          ),
          shape,
        ])],
        { perm: [1, 0, 2] },
        name,
      );
    // Scaled before the product with the keys: one small multiplication.
    const queries = g.apply("Mul", [
      this.#rotated(heads("q_proj", shared.queryShape), shared),
      g.float(1 / Math.sqrt(headSize)),
    ]);
    const keys = this.#rotated(
      heads("k_proj", shared.keyShape),
      shared,
      GraphValue.added("key", layer),
    );
    const values = heads(
      "v_proj",
      shared.keyShape,
      GraphValue.added("value", layer),
    );
    const perHead = (value: Value) =>
      (keyValueHeads === 1 ? [value] : g.split(
        "Split",
        [value],
        { axis: 0, num_outputs: keyValueHeads },
        keyValueHeads,
      )).map((one) => g.apply("Reshape", [one, g.ints(-1, headSize)]));
    const [q, k, v] = [perHead(queries), perHead(keys), perHead(values)];
    const attended = q.map((query, head) => {
      const withPast = (kind: KeyOrValue, added: Value) =>
        g.apply("Concat", [GraphValue.past(kind, layer, head), added], {
          axis: 0,
        });
      // The queries of all heads that share a key head are rows of one matrix.
      const scores = g.apply("Reshape", [
        g.apply("Gemm", [query, withPast("key", k[head]!)], { transB: 1 }),
        shared.scoreShape,
      ]);
      const weights = g.apply("Softmax", [
        g.apply("Reshape", [
          g.apply("Add", [scores, shared.mask]),
          shared.scoreRows,
        ]),
      ], { axis: -1 });
      return g.apply("Gemm", [weights, withPast("value", v[head]!)]);
    });
    const all = keyValueHeads === 1
      ? attended[0]!
      : g.apply("Concat", attended, { axis: 0 });
    const rows = g.apply("Reshape", [
      g.apply("Transpose", [g.apply("Reshape", [all, shared.headShape])], {
        perm: [1, 0, 2],
      }),
      g.ints(-1, attentionHeads * headSize),
    ]);
    return this.#linear(rows, `${prefix}.o_proj.weight`);
  }

  /** Rotary position embedding of [heads, S, D]. */
  #rotated(heads: Value, shared: SharedValues, name?: string): Value {
    const { graph: g, config: { headSize } } = this;
    const part = (from: number, to: number) =>
      g.apply("Slice", [heads, g.ints(from), g.ints(to), g.ints(2)]);
    const turned = g.apply("Concat", [
      g.apply("Neg", [part(headSize / 2, headSize)]),
      part(0, headSize / 2),
    ], { axis: -1 });
    return g.apply(
      "Add",
      [
        g.apply("Mul", [heads, shared.cos]),
        g.apply("Mul", [turned, shared.sin]),
      ],
      {},
      name,
    );
  }

  /** The two-branch feed-forward network of one layer, [S, H]. */
  feedForward(input: Value, prefix: string): Value {
    const { graph: g } = this;
    const gate = this.#linear(input, `${prefix}.gate_proj.weight`);
    const activated = g.apply("Mul", [gate, g.apply("Sigmoid", [gate])]);
    const up = this.#linear(input, `${prefix}.up_proj.weight`);
    return this.#linear(
      g.apply("Mul", [activated, up]),
      `${prefix}.down_proj.weight`,
    );
  }

  /** RMS normalization. */
  normalized(input: Value, weight: string): Value {
    const { graph: g } = this;
    const meanSquare = g.apply(
      "ReduceMean",
      [g.apply("Mul", [input, input]), g.ints(-1)],
      { keepdims: 1 },
    );
    const root = g.apply("Sqrt", [
      g.apply("Add", [meanSquare, g.float(this.config.rmsNormEpsilon)]),
    ]);
    return g.apply("Mul", [
      g.apply("Div", [input, root]),
      this.weight(weight),
    ]);
  }

  #linear(input: Value, weight: string, bias?: string): Value {
    const operands = [input, this.weight(weight)];
    if (bias !== undefined) operands.push(this.weight(bias));
    return this.graph.apply("Gemm", operands, { transB: 1 });
  }

  /** A weight in FP32. */
  weight(name: string): Value {
    const known = this.#floatWeights.get(name);
    if (known !== undefined) return known;
    const cast = this.graph.apply("Cast", [this.stored(name)], {
      to: ElementType.float32,
    });
    this.#floatWeights.set(name, cast);
    return cast;
  }

  /** A weight as it is stored. */
  stored(name: string): Value {
    const { shape, offset, length } = this.weights.get(name)!;
    return this.graph.external(name, ElementType.bfloat16, shape, {
      file: this.file,
      offset,
      length,
    });
  }
}
