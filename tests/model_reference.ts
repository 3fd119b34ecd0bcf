// Qwen2's forward pass in float64, in straight loops and without a cache: what
// the graph is compared with for shapes that no golden file has.

import type { ModelConfig } from "../lib/model/model_config.ts";
import type { WeightMap } from "../lib/model/qwen2_tensors.ts";

type Vector = Float64Array;

/** Logits of every position. */
export function referenceLogits(
  config: ModelConfig,
  weights: WeightMap,
  file: Uint8Array,
  ids: readonly number[],
): Vector[] {
  const { headSize, attentionHeads, keyValueHeads, hiddenSize } = config;
  const get = (name: string) => decodedBfloat16(file, weights.get(name)!);
  const embedding = get("model.embed_tokens.weight");
  let hidden = ids.map((id) =>
    embedding.slice(id * hiddenSize, (id + 1) * hiddenSize)
  );
  for (let layer = 0; layer < config.layers; layer++) {
    const [prefix, attention, feed] = [
      `model.layers.${layer}.`,
      `model.layers.${layer}.self_attn.`,
      `model.layers.${layer}.mlp.`,
    ];
    const before = get(`${prefix}input_layernorm.weight`);
    const inputs = hidden.map((row) => normalized(row, before, config));
    const projected = (name: string, heads: number) => {
      const [matrix, bias] = [
        get(`${attention}${name}_proj.weight`),
        get(`${attention}${name}_proj.bias`),
      ];
      return inputs.map((row) =>
        times(matrix, row, heads * headSize).map((value, index) =>
          value + bias[index]!
        )
      );
    };
    const queries = projected("q", attentionHeads).map((row, at) =>
      rotated(row, at, config)
    );
    const keys = projected("k", keyValueHeads).map((row, at) =>
      rotated(row, at, config)
    );
    const values = projected("v", keyValueHeads);
    const output = get(`${attention}o_proj.weight`);
    hidden = hidden.map((row, at) =>
      plus(
        row,
        times(
          output,
          attended(queries[at]!, keys.slice(0, at + 1), values, config),
          hiddenSize,
        ),
      )
    );
    const after = get(`${prefix}post_attention_layernorm.weight`);
    const [gate, up, down] = ["gate", "up", "down"].map((name) =>
      get(`${feed}${name}_proj.weight`)
    );
    hidden = hidden.map((row) => {
      const input = normalized(row, after, config);
      const opened = times(gate!, input, config.intermediateSize);
      const wide = times(up!, input, config.intermediateSize)
        .map((value, index) =>
          value * opened[index]! / (1 + Math.exp(-opened[index]!))
        );
      return plus(row, times(down!, wide, hiddenSize));
    });
  }
  const last = get("model.norm.weight");
  return hidden.map((row) =>
    times(embedding, normalized(row, last, config), config.vocabSize)
  );
}

function attended(
  query: Vector,
  keys: readonly Vector[],
  values: readonly Vector[],
  config: ModelConfig,
): Vector {
  const { headSize, attentionHeads, keyValueHeads } = config;
  const output = new Float64Array(attentionHeads * headSize);
  for (let head = 0; head < attentionHeads; head++) {
    const shared = Math.floor(head / (attentionHeads / keyValueHeads)) *
      headSize;
    const own = query.subarray(head * headSize, (head + 1) * headSize);
    const scores = keys.map((key) =>
      own.reduce((sum, value, index) => sum + value * key[shared + index]!, 0) /
      Math.sqrt(headSize)
    );
    const most = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const sum = weights.reduce((a, b) => a + b);
    weights.forEach((weight, at) => {
      for (let index = 0; index < headSize; index++) {
        output[head * headSize + index]! += weight / sum *
          values[at]![shared + index]!;
      }
    });
  }
  return output;
}

function rotated(
  row: Vector,
  position: number,
  { headSize, ropeTheta }: ModelConfig,
): Vector {
  const half = headSize / 2;
  return row.map((value, index) => {
    const inHead = index % headSize;
    const angle = position *
      Math.pow(ropeTheta, -2 * (inHead % half) / headSize);
    const other = inHead < half ? -row[index + half]! : row[index - half]!;
    return value * Math.cos(angle) + other * Math.sin(angle);
  });
}

function normalized(
  row: Vector,
  weight: Vector,
  { rmsNormEpsilon }: ModelConfig,
): Vector {
  const square = row.reduce((sum, value) => sum + value * value, 0) /
    row.length;
  const scale = 1 / Math.sqrt(square + rmsNormEpsilon);
  return row.map((value, index) => value * scale * weight[index]!);
}

/** A matrix of `rows` rows times a vector. */
function times(matrix: Vector, vector: Vector, rows: number): Vector {
  const columns = vector.length;
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let column = 0; column < columns; column++) {
      sum += matrix[row * columns + column]! * vector[column]!;
    }
    return sum;
  });
}

const plus = (a: Vector, b: Vector) =>
  a.map((value, index) => value + b[index]!);

function decodedBfloat16(
  file: Uint8Array,
  place: { offset: number; length: number },
): Vector {
  const view = new DataView(
    file.buffer,
    file.byteOffset + place.offset,
    place.length,
  );
  const [float, bits] = [new Float32Array(1), new Uint32Array(1)];
  const asFloat = new Float32Array(bits.buffer);
  return Float64Array.from({ length: place.length / 2 }, (_, index) => {
    bits[0] = view.getUint16(2 * index, true) << 16;
    float[0] = asFloat[0]!;
    return float[0];
  });
}
