// Parity with Hugging Face Transformers: fixtures/checkpoint/tiny-qwen2 holds a
// small random checkpoint and what Transformers computes with it (float32,
// eager attention), beside an independent float64 forward pass.

import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { generationSettings, Generator } from "../lib/model/generation.ts";
import { KeyValueCache } from "../lib/model/key_value_cache.ts";
import { PrefixPrefill } from "../lib/model/prefix_prefill.ts";
import { GOLDEN, openTinyNetwork } from "./model_fixture.ts";

const CAPACITY = 700;
/** The graph's own error and Transformers' add up to less; see the README. */
const MOST_LOGIT_ERROR = 5e-4;

const floats = (base64: string) =>
  new Float32Array(Uint8Array.fromBase64(base64).buffer);
const doubles = (base64: string) =>
  new Float64Array(Uint8Array.fromBase64(base64).buffer);

function largestDifference(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
): number {
  equal(actual.length, expected.length);
  let largest = 0;
  for (let index = 0; index < actual.length; index++) {
    largest = Math.max(largest, Math.abs(actual[index]! - expected[index]!));
  }
  return largest;
}

Deno.test("Network.forward() gives Transformers' logits for every golden prompt", async () => {
  const { network } = await openTinyNetwork();
  for (const golden of GOLDEN.cases) {
    const cache = new KeyValueCache(network.config, CAPACITY);
    const logits = await network.forward(golden.prompt_ids, cache, 1);
    equal(cache.length, golden.length);
    for (
      const expected of [
        floats(golden.last_logits_f32_b64),
        doubles(golden.last_logits_f64_b64),
      ]
    ) {
      const error = largestDifference(logits, expected);
      ok(error < MOST_LOGIT_ERROR, `${golden.length} tokens: off by ${error}`);
    }
  }
  await network.release();
});

Deno.test("Network.forward() gives the logits of every position on request", async () => {
  const { network } = await openTinyNetwork();
  const golden = GOLDEN.cases.find(({ all_logits_f32_b64 }) =>
    all_logits_f32_b64
  )!;
  const cache = new KeyValueCache(network.config, CAPACITY);
  const logits = await network.forward(golden.prompt_ids, cache, golden.length);
  const error = largestDifference(logits, floats(golden.all_logits_f32_b64!));
  ok(error < MOST_LOGIT_ERROR, `off by ${error}`);
  await network.release();
});

Deno.test("Network.forward() gives the same logits token by token, within rounding", async () => {
  const { network } = await openTinyNetwork();
  const golden = GOLDEN.cases.find(({ length }) => length === 17)!;
  const cache = new KeyValueCache(network.config, CAPACITY);
  let logits = new Float32Array();
  for (const id of golden.prompt_ids) {
    logits = new Float32Array(await network.forward([id], cache, 1));
  }
  const error = largestDifference(logits, floats(golden.last_logits_f32_b64));
  ok(error < MOST_LOGIT_ERROR, `off by ${error}`);
  await network.release();
});

Deno.test("Generator.generate() gives Transformers' greedy ids, an early end included", async () => {
  const { network, runtime } = await openTinyNetwork();
  const { max_new_tokens, eos_token_id } = GOLDEN.generation;
  const settings = generationSettings(
    { begin: 0, pad: 3, end: eos_token_id },
    max_new_tokens,
  );
  equal(GOLDEN.cases.map(({ stop_reason }) => stop_reason), [
    "length",
    "eos",
    "length",
    "length",
    "eos",
    "length",
  ]);
  for (const blockTokens of [16, 128]) {
    const cache = new KeyValueCache(network.config, CAPACITY);
    const prefill = new PrefixPrefill(network, cache, blockTokens);
    const generator = new Generator(runtime, network, cache);
    for (const { prompt_ids, greedy_ids } of GOLDEN.cases) {
      const told: number[] = [];
      await prefill.prepare(prompt_ids);
      const ids = await generator.generate(
        prompt_ids,
        settings,
        (id) => told.push(id),
      );
      equal(ids, greedy_ids);
      equal(told, greedy_ids);
    }
  }
  await network.release();
});

Deno.test("Generator.settingsInForce() has the lab's settings and no other effect", async () => {
  const { network, runtime } = await openTinyNetwork();
  const generator = new Generator(
    runtime,
    network,
    new KeyValueCache(network.config, 8),
  );
  const settings = generationSettings({ begin: 0, pad: 3, end: [3, 7] }, 128);
  const inForce = generator.settingsInForce(settings);
  equal(
    Object.fromEntries(Object.keys(settings).map((key) => [key, inForce[key]])),
    {
      do_sample: false,
      num_beams: 1,
      num_return_sequences: 1,
      max_new_tokens: 128,
      repetition_penalty: 1,
      use_cache: true,
      bos_token_id: 0,
      pad_token_id: 3,
      eos_token_id: [3, 7],
    },
  );
  for (
    const key of [
      "bad_words_ids",
      "forced_bos_token_id",
      "forced_eos_token_id",
      "suppress_tokens",
      "begin_suppress_tokens",
      "min_new_tokens",
      "guidance_scale",
    ]
  ) equal([key, inForce[key]], [key, null]);
  equal(inForce["no_repeat_ngram_size"], 0);
  equal(inForce["min_length"], 0);
  await network.release();
});
