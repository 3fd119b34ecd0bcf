// The strict JSON scanner, against V8's parser and the rules that go beyond it.

import assert from "node:assert/strict";
import { canonicalJson } from "../../../lib/evidence/audit_record.ts";
import {
  JsonNumber,
  type JsonScan,
  type JsonTree,
  scanJson,
  toPlainJson,
} from "../../../lib/system/strict_json.ts";
import {
  assertMessage,
  assertOffset,
  shapeOf,
  twice,
} from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson, writeJson } from "../json_grammar.ts";
import { judgeJson, openAtEnd } from "../judge_json.ts";

/** Levels that the fuzzed texts may have. */
const MAX_DEPTH = 8;

/** Fuzzes a strict scanner; another one than the program's shows the fuzzing. */
export function jsonScannerTarget(scan = scanJson): FuzzTarget {
  return {
    name: "json_scanner",
    maxBytes: 4_096,
    words: JSON_WORDS,
    generate: (random) => bytesOf(writeJson(random, random.below(11))),
    mutate: mutateJson,
    judge: (input) => judge(input, scan),
  };
}

function judge(input: Uint8Array, scan: typeof scanJson): string {
  const limits = { maxDepth: MAX_DEPTH };
  const found = twice(() => scan(input, limits));
  const second = judgeJson(input, MAX_DEPTH);
  assert.equal(
    found.ok,
    second.ok,
    `accepted: ${found.ok}, by V8 ${second.ok}`,
  );
  if (found.ok && second.ok) {
    assert.ok(sameValue(found.value, second.value), "another value than V8's");
    return judgePlain(found.value, scan);
  }
  if (found.ok || second.ok) throw new Error("Unreachable");
  assertMessage(found.message, 200);
  assertOffset(found.offset, input.length);
  assertExplained(found, input, second.code);
  const before = scan(input.subarray(0, found.offset), limits);
  assert.ok(
    before.ok || before.offset >= found.offset,
    "the text before the fault has an earlier fault",
  );
  return `${found.error} ${shapeOf(found.message)}`;
}

type Fault = Extract<JsonScan, { ok: false }>;

/** The code is the right one at that place. */
function assertExplained(
  { error, offset }: Fault,
  input: Uint8Array,
  code: string | null,
): void {
  const before = openAtEnd(LENIENT.decode(input.subarray(0, offset)));
  if (error === "json_nesting_limit") {
    assert.equal(before.depth, MAX_DEPTH, "levels before the one too many");
    assert.match(String.fromCharCode(input[offset]!), /[{[]/);
  } else if (error === "duplicate_key") {
    const [key = ""] =
      /^"(?:[^"\\]|\\.)*"/s.exec(LENIENT.decode(input.subarray(offset))) ?? [];
    assert.ok(before.keys.has(JSON.parse(key)), `no earlier key ${key}`);
  } else if (code !== null) {
    assert.match(code, /^(?:byte_order_mark|lone_surrogate)$/, "invalid_json");
  }
}

/** The tree is V8's value, numbers compared as V8 converts them. */
function sameValue(tree: JsonTree, value: unknown): boolean {
  if (tree instanceof JsonNumber) return Object.is(Number(tree.lexeme), value);
  if (tree instanceof Map) {
    return typeof value === "object" && value !== null &&
      Object.keys(value).length === tree.size &&
      [...tree].every(([key, one]) =>
        Object.hasOwn(value, key) &&
        sameValue(one, (value as Record<string, unknown>)[key])
      );
  }
  if (Array.isArray(tree)) {
    return Array.isArray(value) && tree.length === value.length &&
      tree.every((one, index) => sameValue(one, value[index]));
  }
  return tree === value;
}

/** Plain values are the same numbers, and their canonical form stays itself. */
function judgePlain(tree: JsonTree, scan: typeof scanJson): string {
  const plain = twice(() => toPlainJson(tree));
  assert.equal(plain.ok, numbersOf(tree).every(isKept), "numbers kept");
  if (!plain.ok) {
    assertMessage(plain.message, 200);
    return plain.error;
  }
  const text = canonicalJson(plain.value);
  const again = scan(bytesOf(text), { maxDepth: MAX_DEPTH });
  assert.ok(again.ok, "the canonical form is refused");
  // As trees: an integer that was written with an exponent comes back without.
  assert.ok(sameValue(again.value, plain.value), "the canonical form differs");
  const plainAgain = judgeJson(bytesOf(text), MAX_DEPTH);
  assert.equal(plainAgain.ok && canonicalJson(plainAgain.value), text);
  return `value ${text.replaceAll(/[^[\]{},:]+/g, "").slice(0, 5)}`;
}

function numbersOf(tree: JsonTree): readonly string[] {
  if (tree instanceof JsonNumber) return [tree.lexeme];
  if (tree instanceof Map) return [...tree.values()].flatMap(numbersOf);
  return Array.isArray(tree) ? tree.flatMap(numbersOf) : [];
}

/** Whether a number can be kept: exactly if it is an integer, else nearly. */
function isKept(lexeme: string): boolean {
  const value = Number(lexeme);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (/[.eE]/.test(lexeme)) {
    return value !== 0 || !/[1-9]/.test(lexeme.split(/[eE]/)[0]!);
  }
  return BigInt(lexeme) === BigInt(value) &&
    BigInt(lexeme) <= 2n ** 53n - 1n && BigInt(lexeme) >= 1n - 2n ** 53n;
}

const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });
