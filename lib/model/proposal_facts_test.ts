import { deepStrictEqual as equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { followingFacts, inputDigest } from "./proposal_facts.ts";

const numbers = (length: number) => Array.from({ length }, (_, at) => at);

Deno.test("inputDigest() is over 32-bit little-endian integers", () => {
  const bytes = Uint8Array.of(1, 0, 0, 0, 0x40, 0x51, 2, 0);
  equal(
    inputDigest([1, 151_872]),
    createHash("sha256").update(bytes).digest("hex"),
  );
});

Deno.test("followingFacts() computes counts, digest, reuse and end from the ids", () => {
  const told = {
    weights_sha256: "",
    input_tokens: 0,
    input_ids: [...numbers(257), 7],
    input_sha256: "",
    reused_tokens: 0,
    output_tokens: 0,
    raw_output_ids: [5, 3],
    ceiling_reached: true,
    neutralised: [],
    elapsed_ms: { tokenize: 1, prefill: 2, decode: 3 },
  };
  const context = {
    weightsSha256: "w",
    endIds: [3],
    idsBefore: numbers(257),
  };
  const follows = {
    ...told,
    weights_sha256: "w",
    input_tokens: 258,
    input_sha256: inputDigest(told.input_ids),
    reused_tokens: 256,
    output_tokens: 2,
    ceiling_reached: false,
  };
  equal(followingFacts(told, context), follows);
  // A block stays only if a token of its prompt came after it.
  equal(
    followingFacts(told, { ...context, idsBefore: numbers(256) }),
    { ...follows, reused_tokens: 128 },
  );
  equal(
    followingFacts(told, { ...context, idsBefore: [] }),
    { ...follows, reused_tokens: 0 },
  );
  equal(
    followingFacts({ ...told, raw_output_ids: [3, 5] }, context),
    { ...follows, raw_output_ids: [3, 5], ceiling_reached: true },
  );
});
