// The lines of a proposer: cut out of a stream in any pieces, read against a
// second reading, and the first of them taken through a conversation.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { proposalBytes } from "../../../lib/agent/proposal_bytes.ts";
import type { Attempt, Request } from "../../../lib/agent/source.ts";
import {
  type InputLine,
  MAX_LINE_BYTES,
  readInputLine,
  StdioSource,
} from "../../../lib/source/stdio_source.ts";
import { type Line, readLines } from "../../../lib/system/read_lines.ts";
import type { Random } from "../../../tests/expression_generator.ts";
import { assertMessage, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson, writeJson } from "../json_grammar.ts";
import { judgeJson, losesNumber, numberText } from "../judge_json.ts";

/** Fuzzes the lines of the protocol. */
export function stdioTarget(read = readInputLine): FuzzTarget {
  return {
    name: "stdio",
    maxBytes: 40_000,
    words: [
      ...JSON_WORDS,
      ..."proposal_number proposal proposal_base64 cancel".split(" "),
      ...['{"cancel":true}\n', "\n", "\r\n", "AA==", "AB==", "A===", "-_8="],
      "a".repeat(MAX_LINE_BYTES),
    ],
    generate: (random) =>
      bytesOf(
        Array.from({ length: 1 + random.below(3) }, () => writeLine(random))
          .join("\n"),
      ),
    mutate: mutateJson,
    judge: (input) => judge(input, read),
  };
}

async function judge(
  input: Uint8Array,
  read: typeof readInputLine,
): Promise<string> {
  const lines = secondLines(input);
  for (const size of [input.length, 1 + (input.length >> 1), 7]) {
    const found: Line[] = [];
    const stream = inPieces(input, Math.max(1, size));
    for await (const line of readLines(stream, { maxBytes: MAX_LINE_BYTES })) {
      found.push("bytes" in line ? { bytes: line.bytes.slice() } : line);
    }
    assert.deepEqual(found, lines, `in pieces of ${size} bytes`);
  }
  const kinds = lines.map((line) =>
    "bytes" in line ? judgeLine(line.bytes, read) : "too long"
  );
  const attempt = await firstAttempt(input);
  judgeAttempt(attempt, lines[0]);
  return `${kinds.slice(0, 2).join()} ${attempt.failed}`;
}

function secondLines(input: Uint8Array): Line[] {
  const text = Buffer.from(input).toString("latin1").split("\n");
  if (text.at(-1) === "") text.pop();
  return text.map((line) =>
    line.length > MAX_LINE_BYTES
      ? { tooLong: true }
      : { bytes: new Uint8Array(Buffer.from(line, "latin1")) }
  );
}

function judgeLine(bytes: Uint8Array, read: typeof readInputLine): string {
  const found = twice(() => read(bytes));
  const second = secondReading(bytes);
  if (found.kind === "malformed") {
    assert.equal(
      second,
      null,
      `malformed, where it is a line: ${found.detail}`,
    );
    assertMessage(found.detail, 256);
    return shapeOf(found.detail);
  }
  assert.ok(second !== null, `a ${found.kind}, where it is no line`);
  assert.equal(found.kind, second.kind);
  if (found.kind === "answer" && second.kind === "answer") {
    assert.equal(found.proposalNumber, second.proposalNumber);
    assert.deepEqual(new Uint8Array(found.proposal), second.proposal);
  }
  return found.kind;
}

function secondReading(
  bytes: Uint8Array,
): Exclude<InputLine, { kind: "malformed" }> | null {
  const json = judgeJson(bytes, 1);
  if (!json.ok || losesNumber(bytes)) return null;
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return null;
  }
  const line = new Map<string, unknown>(Object.entries(value));
  const keys = [...line.keys()].sort().join();
  if (keys === "cancel") {
    return line.get("cancel") === true ? { kind: "cancel" } : null;
  }
  const proposalNumber = Number(line.get("proposal_number"));
  // A number that repeats the request's: without fraction and exponent.
  const written = numberText(bytes, "proposal_number");
  if (!/^-?\d+$/.test(written ?? "")) return null;
  const [text, base64] = [line.get("proposal"), line.get("proposal_base64")];
  if (keys === "proposal,proposal_number" && typeof text === "string") {
    const proposal = new Uint8Array(Buffer.from(text));
    return { kind: "answer", proposalNumber, proposal };
  }
  if (keys !== "proposal_base64,proposal_number") return null;
  if (typeof base64 !== "string") return null;
  const proposal = new Uint8Array(Buffer.from(base64, "base64"));
  return proposal.toBase64() === base64
    ? { kind: "answer", proposalNumber, proposal }
    : null;
}

/** What becomes of a first request that such a stream answers. */
async function firstAttempt(input: Uint8Array): Promise<Attempt> {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const source = new StdioSource({
    input: (async function* () {
      await asked.promise;
      yield* inPieces(input, 1 + (input.length >> 1));
      ended.resolve();
    })(),
    write: () => Promise.resolve(),
    cancel: () => {},
  });
  const request = { proposalNumber: 1, messages: [] } as unknown as Request;
  const attempt = source.propose(request, { deadline: 1_000 });
  asked.resolve();
  const answered = await attempt;
  await ended.promise;
  return answered;
}

function judgeAttempt(attempt: Attempt, first: Line | undefined): void {
  const { failed, detail } = attempt;
  const line = first !== undefined && "bytes" in first
    ? secondReading(first.bytes)
    : null;
  if (line?.kind === "answer" && line.proposalNumber === 1) {
    assert.equal(failed, undefined, "an answer that was asked for");
    assert.deepEqual(new Uint8Array(proposalBytes(attempt)), line.proposal);
    return;
  }
  const cancelled = first === undefined || line?.kind === "cancel";
  assert.equal(failed, cancelled ? "cancelled" : "model_error");
  assertMessage(String(detail), 256);
}

async function* inPieces(
  bytes: Uint8Array,
  size: number,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.slice(at, at + size));
  }
}

function writeLine(random: Random): string {
  const number = random.pick(["1", "1", "1", "2", "0", "-1", "1.0", "1e0"]);
  const proposal = random.pick(['{"action":"test"}', "", "é\u{1f600}", "\0"]);
  switch (random.below(5)) {
    case 0:
      return '{"cancel":true}';
    case 1:
      return writeJson(random, 2);
    case 2:
      return `{"proposal_number":${number},"proposal_base64":"${
        random.pick(["", "AA==", "eyJ9", "/w==", "_w==", "AA", "AB=="])
      }"}`;
    default:
      return `{"proposal_number":${number},"proposal":${
        JSON.stringify(proposal)
      }}`;
  }
}
