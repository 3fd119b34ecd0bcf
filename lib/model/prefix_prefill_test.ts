import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { KeyValueCache } from "./key_value_cache.ts";
import type { ModelConfig } from "./model_config.ts";
import type { Network } from "./network.ts";
import { PrefixPrefill } from "./prefix_prefill.ts";

const CONFIG: ModelConfig = {
  vocabSize: 10,
  hiddenSize: 2,
  intermediateSize: 2,
  layers: 1,
  attentionHeads: 1,
  keyValueHeads: 1,
  headSize: 2,
  rmsNormEpsilon: 1e-6,
  ropeTheta: 1e6,
  maxPositions: 100,
};

/** Remembers which ids ran at which position, instead of computing. */
class RecordingNetwork implements Network {
  readonly config = CONFIG;
  readonly calls: [position: number, ids: number[], logits: number][] = [];
  failAt = Infinity;
  forward(
    ids: readonly number[],
    cache: KeyValueCache,
    logits: number,
  ): Promise<Float32Array> {
    if (this.calls.length === this.failAt) {
      return Promise.reject(new Error("broken"));
    }
    this.calls.push([cache.length, [...ids], logits]);
    cache.append(ids.length, () => new Float32Array(2 * ids.length));
    return Promise.resolve(new Float32Array());
  }
  release(): Promise<void> {
    return Promise.resolve();
  }
}

const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index);

function prefill(): {
  network: RecordingNetwork;
  cache: KeyValueCache;
  prefill: PrefixPrefill;
} {
  const network = new RecordingNetwork();
  const cache = new KeyValueCache(CONFIG, 50);
  return { network, cache, prefill: new PrefixPrefill(network, cache, 4) };
}

Deno.test("PrefixPrefill runs whole blocks and leaves at least the last token", async () => {
  for (
    const [length, whole] of [[1, 0], [4, 0], [5, 4], [8, 4], [9, 8], [12, 8], [
      13,
      12,
    ]] as const
  ) {
    const { network, cache, prefill: one } = prefill();
    const told: [number, number][] = [];
    equal(await one.prepare(numbers(length), (...step) => told.push(step)), {
      reused: 0,
      computed: whole,
    });
    equal(cache.length, whole);
    equal(
      network.calls.map(([position]) => position),
      numbers(whole / 4).map((block) => 4 * block),
    );
    equal(told, numbers(whole / 4 + 1).map((block) => [4 * block, 4 * block]));
  }
});

Deno.test("PrefixPrefill takes over the whole blocks that agree, whatever ran since", async () => {
  const { network, cache, prefill: one } = prefill();
  await one.prepare(numbers(14));
  cache.append(3, () => new Float32Array(6)); // what a generation leaves
  network.calls.length = 0;
  equal(await one.prepare([...numbers(10), 99, 98, 97, 96]), {
    reused: 8,
    computed: 4,
  });
  equal(network.calls, [[8, [8, 9, 99, 98], 0]]);
  equal(cache.length, 12);
  network.calls.length = 0;
  equal(await one.prepare(numbers(9)), { reused: 8, computed: 0 });
  equal(await one.prepare(numbers(8)), { reused: 4, computed: 0 });
  equal(cache.length, 4);
  equal(network.calls, []);
  equal(await one.prepare([5, ...numbers(9)]), { reused: 0, computed: 8 });
});

Deno.test("PrefixPrefill computes everything after forget()", async () => {
  const { prefill: one } = prefill();
  await one.prepare(numbers(14));
  one.forget();
  equal(await one.prepare(numbers(14)), { reused: 0, computed: 12 });
});

Deno.test("PrefixPrefill knows what it has after a block failed", async () => {
  const { network, prefill: one } = prefill();
  network.failAt = 2;
  await rejects(one.prepare(numbers(14)), /broken/);
  network.failAt = Infinity;
  equal(await one.prepare(numbers(14)), { reused: 8, computed: 4 });
});
