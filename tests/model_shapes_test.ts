// Networks of other shapes than the golden one, against a float64 reference:
// heads of their own size, one key-value head for all, one for each, weights
// that begin at any byte.

import { equal, ok } from "node:assert/strict";
import { KeyValueCache } from "../lib/model/key_value_cache.ts";
import type { ModelConfig } from "../lib/model/model_config.ts";
import { openNetwork } from "../lib/model/network.ts";
import { qwen2Graph } from "../lib/model/qwen2_graph.ts";
import { readSafetensorsHeader } from "../lib/model/safetensors_header.ts";
import { ENGINE_THREADS } from "../lib/model/worker_protocol.ts";
import {
  makeCheckpoint,
  TINY_CONFIG,
  TINY_TOKEN_IDS,
} from "../tasks/make_checkpoint.ts";
import { openRuntime } from "./model_fixture.ts";
import { referenceLogits } from "./model_reference.ts";

const SMALL: ModelConfig = {
  ...TINY_CONFIG,
  vocabSize: 40,
  hiddenSize: 24,
  intermediateSize: 20,
  layers: 2,
  attentionHeads: 6,
  keyValueHeads: 2,
  headSize: 4,
};

const SHAPES: Readonly<Record<string, Partial<ModelConfig>>> = {
  "as it is": {},
  "one key-value head for all": { keyValueHeads: 1 },
  "a key-value head for each": { keyValueHeads: 6 },
  "heads wider than the hidden size": { headSize: 10 },
  "one layer, one head": {
    layers: 1,
    attentionHeads: 1,
    keyValueHeads: 1,
    headSize: 24,
  },
  "other positions": { ropeTheta: 10_000, rmsNormEpsilon: 1e-5 },
};

/** The same weights behind `bytes` more bytes of header. */
function shiftData(path: string, bytes: number): void {
  const file = Deno.readFileSync(path);
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const shifted = new Uint8Array(file.length + bytes).fill(0x20);
  shifted.set(file.subarray(0, 8 + length));
  shifted.set(file.subarray(8 + length), 8 + length + bytes);
  new DataView(shifted.buffer).setBigUint64(0, BigInt(length + bytes), true);
  Deno.writeFileSync(path, shifted);
}

for (const [title, change] of Object.entries(SHAPES)) {
  for (const shift of [0, 1, 3]) {
    Deno.test(`qwen2Graph() agrees with float64: ${title}, shifted by ${shift}`, async () => {
      const config = { ...SMALL, ...change };
      const folder = Deno.makeTempDirSync();
      makeCheckpoint(folder, {
        config,
        seed: 5,
        label: "shape",
        deviation: 0.3,
        smallFiles: {},
        tokenIds: TINY_TOKEN_IDS,
      });
      shiftData(`${folder}/model.safetensors`, shift);
      const file = Deno.readFileSync(`${folder}/model.safetensors`);
      const weights = readSafetensorsHeader(
        file.length,
        (offset, length) => file.slice(offset, offset + length),
      );
      const ids = Array.from(
        { length: 23 },
        (_, index) => (index * 17 + 3) % 40,
      );
      const expected = referenceLogits(config, weights, file, ids);
      const { onnx } = await openRuntime();
      const network = await openNetwork(
        onnx,
        qwen2Graph(config, weights, "model.safetensors"),
        folder,
        config,
        ENGINE_THREADS,
      );
      // In one call, in two, and token by token.
      for (const steps of [[23], [10, 13], new Array(23).fill(1)]) {
        const cache = new KeyValueCache(config, 23);
        let at = 0;
        for (const count of steps) {
          const logits = await network.forward(
            ids.slice(at, at + count),
            cache,
            count,
          );
          equal(logits.length, count * config.vocabSize);
          logits.forEach((value, index) => {
            const exact = expected[at + Math.floor(index / config.vocabSize)]![
              index % config.vocabSize
            ]!;
            ok(
              Math.abs(value - exact) < 2e-4,
              `position ${at}: ${value} instead of ${exact}`,
            );
          });
          at += count;
        }
      }
      await network.release();
      Deno.removeSync(folder, { recursive: true });
    });
  }
}

Deno.test("Network.forward() computes no logits where none are wanted", async () => {
  const folder = Deno.makeTempDirSync();
  makeCheckpoint(folder, {
    config: SMALL,
    seed: 5,
    label: "shape",
    deviation: 0.3,
    smallFiles: {},
    tokenIds: TINY_TOKEN_IDS,
  });
  const file = Deno.readFileSync(`${folder}/model.safetensors`);
  const weights = readSafetensorsHeader(
    file.length,
    (offset, length) => file.slice(offset, offset + length),
  );
  const { onnx } = await openRuntime();
  const graph = qwen2Graph(SMALL, weights, "model.safetensors");
  const network = await openNetwork(onnx, graph, folder, SMALL, ENGINE_THREADS);
  const cache = new KeyValueCache(SMALL, 10);
  equal((await network.forward([1, 2, 3], cache, 0)).length, 0);
  equal(cache.length, 3);
  await network.release();
  Deno.removeSync(folder, { recursive: true });
});
