import { deepStrictEqual as equal } from "node:assert/strict";
import {
  type FromModelWorker,
  MAX_TEXT_BYTES,
  readModelWorkerMessage,
} from "./worker_protocol.ts";

const PROPOSAL: FromModelWorker = {
  type: "proposal",
  call: 3,
  text: "{}",
  facts: {
    weights_sha256: "0".repeat(64),
    input_tokens: 2,
    input_ids: [1, 2],
    input_sha256: "1".repeat(64),
    reused_tokens: 0,
    output_tokens: 1,
    raw_output_ids: [3],
    ceiling_reached: false,
    neutralised: [{ token: "<|im_end|>", count: 1 }],
    elapsed_ms: { tokenize: 1, prefill: 2, decode: 3 },
  },
};

Deno.test("readModelWorkerMessage() reads each of the worker's messages", () => {
  const messages: FromModelWorker[] = [
    {
      type: "load_progress",
      call: 1,
      stage: "verify",
      bytes: 1,
      total_bytes: 2,
    },
    { type: "loaded", call: 1, facts: { label: "tiny" } },
    { type: "counted", call: 2, tokens: 5 },
    {
      type: "propose_progress",
      call: 3,
      stage: "decode",
      tokens: 1,
      input_tokens: 2,
      tokens_per_second: 7.5,
      text: "{",
    },
    PROPOSAL,
    { type: "failed", call: 3, sentence: "It broke" },
  ];
  for (const message of messages) {
    equal(readModelWorkerMessage(structuredClone(message)), message);
  }
});

Deno.test("readModelWorkerMessage() takes nothing else for one", () => {
  for (
    const value of [
      null,
      undefined,
      "proposal",
      [],
      {},
      { type: "proposal" },
      { type: "scripted", call: 3, text: "{}" },
      { ...PROPOSAL, call: -1 },
      { ...PROPOSAL, call: 1.5 },
      { ...PROPOSAL, text: 5 },
      { ...PROPOSAL, text: "x".repeat(MAX_TEXT_BYTES + 1) },
      { ...PROPOSAL, more: 1 },
      {
        ...PROPOSAL,
        facts: { ...PROPOSAL.facts, raw_output_ids: new Array(129).fill(1) },
      },
      {
        ...PROPOSAL,
        facts: { ...PROPOSAL.facts, input_ids: new Array(2_049).fill(1) },
      },
      { ...PROPOSAL, facts: { ...PROPOSAL.facts, input_ids: [0.5] } },
      { type: "failed", call: 3, sentence: "x".repeat(1_001) },
      { type: "loaded", call: 3, facts: [] },
    ]
  ) equal(readModelWorkerMessage(value), null);
});

Deno.test("readModelWorkerMessage() takes texts up to the limit", () => {
  const text = "x".repeat(MAX_TEXT_BYTES);
  equal(readModelWorkerMessage({ ...PROPOSAL, text }), { ...PROPOSAL, text });
});
