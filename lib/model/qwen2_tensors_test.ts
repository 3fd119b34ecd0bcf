import {
  deepStrictEqual as equal,
  match,
  ok,
  throws,
} from "node:assert/strict";
import type { ModelConfig } from "./model_config.ts";
import { ModelRefusal } from "./model_refusal.ts";
import { qwen2Tensors, requireQwen2Tensors } from "./qwen2_tensors.ts";
import type { StoredTensor } from "./safetensors_header.ts";

const CONFIG: ModelConfig = {
  vocabSize: 10,
  hiddenSize: 8,
  intermediateSize: 12,
  layers: 1,
  attentionHeads: 2,
  keyValueHeads: 1,
  headSize: 4,
  rmsNormEpsilon: 1e-6,
  ropeTheta: 1e6,
  maxPositions: 100,
};

const PINNED: ModelConfig = {
  ...CONFIG,
  vocabSize: 151_936,
  hiddenSize: 896,
  intermediateSize: 4_864,
  layers: 24,
  attentionHeads: 14,
  keyValueHeads: 2,
  headSize: 64,
};

function stored(
  change: (tensors: Map<string, StoredTensor>) => void = () => {},
): Map<string, StoredTensor> {
  const tensors = new Map(
    qwen2Tensors(CONFIG).map((
      [name, shape],
    ) => [name, { dtype: "BF16", shape, offset: 0, length: 0 }]),
  );
  change(tensors);
  return tensors;
}

function refused(
  change: (tensors: Map<string, StoredTensor>) => void,
  why: RegExp,
): void {
  throws(() => requireQwen2Tensors(CONFIG, stored(change)), (error) => {
    ok(error instanceof ModelRefusal);
    match(error.message, why);
    return true;
  });
}

Deno.test("qwen2Tensors() adds up to the pinned checkpoint's parameters", () => {
  const parameters = qwen2Tensors(PINNED).reduce(
    (sum, [, shape]) =>
      sum + shape.reduce((product, size) => product * size, 1),
    0,
  );
  equal(parameters, 494_032_768);
  equal(qwen2Tensors(PINNED).length, 290);
});

Deno.test("requireQwen2Tensors() takes exactly the network's tensors", () => {
  requireQwen2Tensors(CONFIG, stored());
});

Deno.test("requireQwen2Tensors() refuses missing, extra and different tensors", () => {
  for (const [name] of qwen2Tensors(CONFIG)) {
    refused(
      (tensors) => tensors.delete(name),
      new RegExp(`lack the tensor "${name}"`),
    );
    refused(
      (tensors) => tensors.set(name, { ...tensors.get(name)!, dtype: "F16" }),
      new RegExp(`"${name}" is F16: BF16 is needed`),
    );
    refused(
      (tensors) =>
        tensors.set(name, { ...tensors.get(name)!, shape: [3, 3, 3] }),
      new RegExp(`"${name}" has shape \\[3,3,3\\]`),
    );
  }
  const extra = { dtype: "BF16", shape: [10, 8], offset: 0, length: 0 };
  refused(
    (tensors) => tensors.set("lm_head.weight", extra),
    /a head of their own/,
  );
  refused(
    (tensors) => tensors.set("model.layers.1.mlp.up_proj.weight", extra),
    /the network doesn't use/,
  );
});
