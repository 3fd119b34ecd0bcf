// Reports 29: greedy generation gave another answer once the prefix came from a
// cache. Here reuse and no reuse are equal in every bit.

import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { generationSettings, Generator } from "../lib/model/generation.ts";
import { KeyValueCache } from "../lib/model/key_value_cache.ts";
import { PrefixPrefill } from "../lib/model/prefix_prefill.ts";
import { openTinyNetwork } from "./model_fixture.ts";

const CONVERSATIONS = 50;
const CALLS = 4;
const SETTINGS = generationSettings({ begin: 0, pad: 3, end: [3, 7] }, 6);

/** Mulberry32: the same conversations everywhere. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return Math.floor(((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32 * below);
  };
}

/** Prompts that grow at the end and change in their last few tokens. */
function conversation(seed: number): number[][] {
  const random = randomNumbers(seed);
  const tokens = (count: number) =>
    Array.from({ length: count }, () => random(512));
  let log = tokens(100 + random(200));
  return Array.from({ length: CALLS }, () => {
    const prompt = [...log, ...tokens(20 + random(40))];
    // Now and then something is left out, as compaction does.
    if (random(4) === 0) log = log.slice(0, random(log.length));
    log = [...log, ...tokens(10 + random(120))];
    return prompt;
  });
}

const bits = (logits: Float32Array) =>
  new Uint32Array(logits.buffer, logits.byteOffset, logits.length).slice();

Deno.test("prefix reuse changes no bit of the logits and no id", async () => {
  const { network, runtime } = await openTinyNetwork();
  const answers = async (prompts: readonly number[][], reuse: boolean) => {
    const cache = new KeyValueCache(network.config, 900);
    const prefill = new PrefixPrefill(network, cache);
    const generator = new Generator(runtime, network, cache);
    const all = {
      logits: [] as Uint32Array[],
      ids: [] as number[][],
      reused: 0,
    };
    for (const prompt of prompts) {
      if (!reuse) prefill.forget();
      all.reused += (await prefill.prepare(prompt)).reused;
      const prepared = cache.length;
      all.logits.push(
        bits(await network.forward(prompt.slice(prepared), cache, 1)),
      );
      cache.truncate(prepared);
      all.ids.push(await generator.generate(prompt, SETTINGS));
    }
    return all;
  };
  let reusedTokens = 0;
  for (let seed = 1; seed <= CONVERSATIONS; seed++) {
    const prompts = conversation(seed);
    const [withReuse, without] = [
      await answers(prompts, true),
      await answers(prompts, false),
    ];
    equal(withReuse.logits, without.logits);
    equal(withReuse.ids, without.ids);
    equal(without.reused, 0);
    reusedTokens += withReuse.reused;
  }
  ok(reusedTokens > 20_000, `only ${reusedTokens} tokens were reused`);
  await network.release();
});
