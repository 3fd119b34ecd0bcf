// The header of the weights' file, and whether its tensors are the network's,
// against a second reader over big integers. The first eight bytes of an input
// are the file's size, so that a small input can stand for a file of any size;
// what isn't there reads as zeros.

import assert from "node:assert/strict";
import type { Random } from "../../../tests/expression_generator.ts";
import type { ModelConfig } from "../../../lib/model/model_config.ts";
import { ModelRefusal } from "../../../lib/model/model_refusal.ts";
import {
  qwen2Tensors,
  requireQwen2Tensors,
} from "../../../lib/model/qwen2_tensors.ts";
import { readSafetensorsHeader } from "../../../lib/model/safetensors_header.ts";
import { TINY_CONFIG } from "../../make_checkpoint.ts";
import { assertMessage, outcomeOf, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson } from "../json_grammar.ts";
import { judgeSafetensors } from "../judge_safetensors.ts";

/** The network whose tensors are asked for. */
export const FUZZED_CONFIG: ModelConfig = {
  ...TINY_CONFIG,
  vocabSize: 8,
  hiddenSize: 4,
  intermediateSize: 6,
  layers: 1,
  attentionHeads: 2,
  keyValueHeads: 1,
  headSize: 2,
};

/** Fuzzes the reader of headers. */
export function safetensorsTarget(read = readSafetensorsHeader): FuzzTarget {
  return {
    name: "safetensors",
    maxBytes: 8_192,
    words: [
      ...JSON_WORDS,
      ..."dtype shape data_offsets __metadata__ BF16 F32 F16 U8 F4 I64".split(
        " ",
      ),
      ...qwen2Tensors(FUZZED_CONFIG).map(([name]) => name),
      ...['"lm_head.weight"', "[0,0]", "[]", "[0]", "\x00\x00\x00\x80"],
    ],
    generate: (random) => fileOf(writeHeader(random), random),
    mutate: (input, random) =>
      fileOf(textOf(mutateJson(input.subarray(16), random)), random),
    judge: (input) => judge(input, read),
  };
}

function judge(input: Uint8Array, read: typeof readSafetensorsHeader): string {
  const head = input.subarray(Math.min(8, input.length));
  const fileBytes = sizeOf(input);
  const readAt = (offset: number, length: number): Uint8Array => {
    assert.ok(
      Number.isSafeInteger(offset) && Number.isSafeInteger(length) &&
        offset >= 0 && length >= 0 && offset + length <= fileBytes,
      `a read of ${length} bytes at ${offset} of ${fileBytes}`,
    );
    const bytes = new Uint8Array(length);
    bytes.set(head.subarray(offset, offset + length));
    return bytes;
  };
  const found = twice(() =>
    outcomeOf(() => read(fileBytes, readAt), ModelRefusal)
  );
  const second = judgeSafetensors(fileBytes, head);
  if (!found.ok) {
    assert.equal(
      second,
      null,
      `refused, where it is a header: ${found.message}`,
    );
    assertSentence(found.message);
    return shapeOf(found.message);
  }
  assert.ok(second !== null, "taken, where it is no header");
  const tensors = [...found.value].map(([name, tensor]) =>
    [
      name,
      tensor.dtype,
      tensor.shape,
      BigInt(tensor.offset),
      BigInt(tensor.length),
    ] as const
  );
  const offsets = tensors.map(([, , , offset]) => offset);
  assert.deepEqual(offsets, offsets.toSorted((a, b) => a < b ? -1 : 1));
  assert.deepEqual(tensors.sort(([a], [b]) => a < b ? -1 : 1), second);
  return judgeNetwork(found.value);
}

function judgeNetwork(
  tensors: Parameters<typeof requireQwen2Tensors>[1],
): string {
  const wanted = new Map(qwen2Tensors(FUZZED_CONFIG));
  const fits = tensors.size === wanted.size &&
    [...wanted].every(([name, shape]) => {
      const found = tensors.get(name);
      return found?.dtype === "BF16" && found.shape.length === shape.length &&
        shape.every((size, axis) => size === found.shape[axis]);
    });
  const found = outcomeOf(
    () => requireQwen2Tensors(FUZZED_CONFIG, tensors),
    ModelRefusal,
  );
  assert.equal(found.ok, fits, "the network's tensors");
  if (found.ok) return "network";
  assertSentence(found.message);
  return `header, ${shapeOf(found.message)}`;
}

/** A sentence for a person: bounded, and no arithmetic that went wrong. */
function assertSentence(message: string): void {
  assertMessage(message, 1_024);
  assert.doesNotMatch(message.replaceAll(/"[^"]*"/g, ""), /NaN|Infinity|e\+/);
}

/** The file's size: never less than what is there of it. */
function sizeOf(input: Uint8Array): number {
  if (input.length < 8) return input.length;
  const there = input.length - 8;
  const said = new DataView(input.buffer, input.byteOffset).getBigUint64(
    0,
    true,
  );
  if (there < 16) return there;
  const header = new DataView(input.buffer, input.byteOffset + 8)
    .getBigUint64(0, true);
  // A header that isn't there would only be read as megabytes of zeros.
  if (8n + header > BigInt(there) && header < 200_000_000n) return there;
  return Math.max(there, Number(said & 0x1f_ffff_ffff_ffffn));
}

function fileOf(header: string, random: Random): Uint8Array {
  const text = bytesOf(header);
  const bytes = new Uint8Array(16 + text.length);
  const view = new DataView(bytes.buffer);
  const size = random.chance(95)
    ? text.length
    : text.length + random.pick([-1, 1, 8]);
  view.setBigUint64(8, BigInt(Math.max(0, size)), true);
  bytes.set(text, 16);
  view.setBigUint64(0, BigInt(8 + text.length + endOf(header, random)), true);
  return bytes;
}

/** Where the header's data ends, as far as it can be told. */
function endOf(header: string, random: Random): number {
  if (random.chance(5)) return random.below(1_000);
  const ends = [...header.matchAll(/"data_offsets":\[\d+,(\d+)\]/g)]
    .map(([, end]) => Number(end)).filter(Number.isSafeInteger);
  return Math.min(2 ** 52, Math.max(0, ...ends));
}

function writeHeader(random: Random): string {
  const header: Record<string, unknown> = random.chance(50)
    ? { __metadata__: { format: "pt" } }
    : {};
  let end = 0;
  const tensors = random.chance(60)
    ? qwen2Tensors(FUZZED_CONFIG).map(([name, shape]) => [name, shape, "BF16"])
    : Array.from({ length: random.below(4) }, (_, index) => [
      random.pick(["a", "b", "model.norm.weight", ""]) + index,
      Array.from({ length: random.below(4) }, () => someSize(random)),
      random.pick(["BF16", "F32", "U8", "I64", "F8_E4M3"]),
    ]);
  for (const [name, shape, dtype] of tensors as [string, number[], string][]) {
    const bytes = { BF16: 2, F32: 4, I64: 8 }[dtype] ?? 1;
    const begin = end;
    end += shape.reduce((product, size) => product * size, bytes);
    header[name] = { dtype, shape, data_offsets: [begin, end] };
  }
  return JSON.stringify(header);
}

function someSize(random: Random): number {
  return random.chance(80)
    ? random.below(5)
    : random.pick([2 ** 16, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 52, 2 ** 53 - 1]);
}
