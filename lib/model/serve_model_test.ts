import { deepStrictEqual as equal } from "node:assert/strict";
import { PINNED_CHECKPOINT } from "./checkpoint_manifest.ts";
import { refuse } from "./model_refusal.ts";
import type { OpenModel } from "./loaded_model.ts";
import type { openModel } from "./open_model.ts";
import { type ModelPort, serveModel } from "./serve_model.ts";
import {
  ENGINE_THREADS,
  type FromModelWorker,
  type ProposalFacts,
  readModelWorkerMessage,
  type ToModelWorker,
} from "./worker_protocol.ts";

const FACTS: ProposalFacts = {
  weights_sha256: "0".repeat(64),
  input_tokens: 2,
  input_ids: [1, 2],
  input_sha256: "1".repeat(64),
  reused_tokens: 0,
  output_tokens: 1,
  raw_output_ids: [3],
  ceiling_reached: false,
  neutralised: [],
  elapsed_ms: { tokenize: 1, prefill: 2, decode: 3 },
};

const MODEL: OpenModel = {
  facts: { label: "stand-in" },
  countTokens: (messages) => messages.length,
  propose: (messages, maxNewTokens, progress) => {
    for (const stage of ["prefill", "decode", "decode"] as const) {
      progress({
        stage,
        tokens: 1,
        inputTokens: 2,
        tokensPerSecond: 3,
        text: () => "{",
      });
    }
    const text = `${messages[0]!.content} ${maxNewTokens}`;
    return Promise.resolve({ text, facts: FACTS });
  },
  close: () => Promise.resolve(),
};

const LOAD: ToModelWorker = {
  type: "load",
  call: 1,
  folder: "folder",
  binding: "binding",
  manifest: PINNED_CHECKPOINT,
  threads: ENGINE_THREADS,
};
const MESSAGES = [{ role: "user", content: "hello" }] as const;

/** What the worker answers to calls that all arrive at once. */
async function answers(
  calls: readonly ToModelWorker[],
  open: typeof openModel,
): Promise<FromModelWorker[]> {
  const said: FromModelWorker[] = [];
  const done = Promise.withResolvers<void>();
  const last = calls.at(-1)!.call;
  let listener: (event: MessageEvent<ToModelWorker>) => void = () => {};
  const port: ModelPort = {
    postMessage: (message) => {
      equal(readModelWorkerMessage(structuredClone(message)), message);
      said.push(message);
      if (message.call === last && !message.type.endsWith("progress")) {
        done.resolve();
      }
    },
    addEventListener: (_type, given) => listener = given,
  };
  serveModel(port, open);
  for (const data of calls) listener(new MessageEvent("message", { data }));
  await done.promise;
  return said;
}

Deno.test("serveModel() answers every call in its turn", async () => {
  equal(
    await answers([
      LOAD,
      { type: "count_tokens", call: 2, messages: MESSAGES },
      { type: "propose", call: 3, messages: MESSAGES, maxNewTokens: 128 },
    ], (_load, progress) => {
      progress!("verify", 0);
      progress!("session", 999_597_691);
      return Promise.resolve(MODEL);
    }),
    [
      {
        type: "load_progress",
        call: 1,
        stage: "verify",
        bytes: 0,
        total_bytes: 999_597_691,
      },
      {
        type: "load_progress",
        call: 1,
        stage: "session",
        bytes: 999_597_691,
        total_bytes: 999_597_691,
      },
      { type: "loaded", call: 1, facts: { label: "stand-in" } },
      { type: "counted", call: 2, tokens: 1 },
      // Each stage's first step, and no other within so short a time.
      ...(["prefill", "decode"] as const).map((stage) => ({
        type: "propose_progress" as const,
        call: 3,
        stage,
        tokens: 1,
        input_tokens: 2,
        tokens_per_second: 3,
        text: "{",
      })),
      { type: "proposal", call: 3, text: "hello 128", facts: FACTS },
    ],
  );
});

Deno.test("serveModel() answers a failure with one sentence and goes on", async () => {
  const failing: OpenModel = {
    ...MODEL,
    countTokens: () => refuse("There is no tokenizer"),
    propose: () =>
      Promise.reject(new Error("At /home/someone/model.onnx:\n  it broke")),
  };
  equal(
    await answers([
      LOAD,
      { type: "count_tokens", call: 2, messages: MESSAGES },
      { type: "propose", call: 3, messages: MESSAGES, maxNewTokens: 128 },
      LOAD,
      { type: "propose", call: 4, messages: MESSAGES, maxNewTokens: 128 },
    ], () => Promise.resolve(failing)),
    [
      { type: "loaded", call: 1, facts: { label: "stand-in" } },
      { type: "failed", call: 2, sentence: "There is no tokenizer" },
      { type: "failed", call: 3, sentence: "At …:" },
      { type: "failed", call: 1, sentence: "A model is loaded already" },
      { type: "failed", call: 4, sentence: "At …:" },
    ],
  );
});

Deno.test("serveModel() has nothing to say before, or without, a loaded model", async () => {
  equal(
    await answers([
      { type: "propose", call: 1, messages: MESSAGES, maxNewTokens: 128 },
      { ...LOAD, call: 2 },
      { type: "count_tokens", call: 3, messages: MESSAGES },
    ], () => Promise.reject(new Error("No such model"))),
    [
      { type: "failed", call: 1, sentence: "No model is loaded" },
      { type: "failed", call: 2, sentence: "No such model" },
      { type: "failed", call: 3, sentence: "No model is loaded" },
    ],
  );
});
