import { deepStrictEqual as equal, throws } from "node:assert/strict";
import { KeyValueCache } from "./key_value_cache.ts";
import type { ModelConfig } from "./model_config.ts";

const CONFIG: ModelConfig = {
  vocabSize: 10,
  hiddenSize: 8,
  intermediateSize: 12,
  layers: 2,
  attentionHeads: 4,
  keyValueHeads: 2,
  headSize: 2,
  rmsNormEpsilon: 1e-6,
  ropeTheta: 1e6,
  maxPositions: 100,
};

// Tells kind, layer, head, position and element apart.
const rows =
  (first: number, count: number) => (kind: "key" | "value", layer: number) =>
    Float32Array.from({ length: 2 * count * 2 }, (_, index) => {
      const head = Math.floor(index / (2 * count));
      const position = first + Math.floor(index / 2) % count;
      return (kind === "key" ? 10_000 : 20_000) + 1_000 * layer + 100 * head +
        10 * position + index % 2;
    });

Deno.test("KeyValueCache keeps each head's tokens in order", () => {
  const cache = new KeyValueCache(CONFIG, 4);
  equal(cache.length, 0);
  equal(cache.past("key", 0, 0), new Float32Array());
  cache.append(2, rows(0, 2));
  cache.append(1, rows(2, 1));
  equal(cache.length, 3);
  equal([...cache.past("key", 0, 0)], [
    10_000,
    10_001,
    10_010,
    10_011,
    10_020,
    10_021,
  ]);
  equal([...cache.past("value", 1, 1)], [
    21_100,
    21_101,
    21_110,
    21_111,
    21_120,
    21_121,
  ]);
});

Deno.test("KeyValueCache forgets from the end, and takes up to its capacity", () => {
  const cache = new KeyValueCache(CONFIG, 3);
  cache.append(3, rows(0, 3));
  throws(
    () => cache.append(1, rows(3, 1)),
    /Cannot remember 4 tokens: the most is 3/,
  );
  equal(cache.length, 3);
  cache.truncate(1);
  equal([...cache.past("key", 1, 0)], [11_000, 11_001]);
  throws(() => cache.truncate(2), /Cannot keep 2 tokens: only 1/);
  cache.append(2, rows(5, 2));
  equal([...cache.past("key", 1, 0)], [
    11_000,
    11_001,
    11_050,
    11_051,
    11_060,
    11_061,
  ]);
});
