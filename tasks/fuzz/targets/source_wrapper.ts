// The reader of `toy_math.py`, against the wrapper as one regular expression and
// the second opinion on its two expressions.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Random } from "../../../tests/expression_generator.ts";
import { askQuestion } from "../../../tests/expression_generator.ts";
import {
  FUNCTION_PARAMETERS,
  type FunctionName,
} from "../../../lib/lab/expression/function_names.ts";
import {
  generateSource,
  readSource,
} from "../../../lib/lab/expression/source_wrapper.ts";
import {
  assertMessage,
  assertOffset,
  shapeOf,
  twice,
} from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { judgeExpression } from "../judge_expression.ts";
import { EXPRESSION_WORDS } from "./expression.ts";

/** Fuzzes the reader of the source. */
export function sourceWrapperTarget(read = readSource): FuzzTarget {
  return {
    name: "source_wrapper",
    maxBytes: 4_200,
    words: [
      ...EXPRESSION_WORDS,
      ..."def clamp total (x, lo, hi): (unit, qty, fee): return".split(" "),
      ..."\n|\n\n|\r\n|\r|\t|    |# a|\ufeff|import os\n|\f|\v|@a\n|;|\\\n|\0"
        .split("|"),
    ],
    generate: (random) => bytesOf(writeSource(random)),
    judge: (input) => judge(input, read),
  };
}

function writeSource(random: Random): string {
  const texts = { clamp: "x", total: "unit + qty + fee" };
  for (const name of ["clamp", "total"] as const) {
    if (random.chance(30)) continue;
    const [asked, text] = askQuestion(random);
    texts[asked === name || random.chance(30) ? name : asked] = text;
  }
  return generateSource(texts);
}

function judge(input: Uint8Array, read: typeof readSource): string {
  const found = twice(() => read(input));
  const second = secondOpinion(input);
  if (!found.ok) {
    assert.equal(second, null, `refused, where it is a source`);
    assert.equal(found.code, "source_invalid");
    assertMessage(found.message, 256);
    assert.match(found.message, /^[ -~]+$/, "a message beyond ASCII");
    assertOffset(found.offset, input.length);
    return shapeOf(found.message);
  }
  const { clamp, total } = found.expressions;
  assert.deepEqual(second, { clamp: clamp.text, total: total.text });
  const written = generateSource({ clamp: clamp.text, total: total.text });
  assert.deepEqual(bytesOf(written), new Uint8Array(input));
  return `source ${clamp.root.kind} ${total.root.kind}`;
}

const WRAPPER = new RegExp(
  "^def clamp\\(x, lo, hi\\):\\n    return ([^\\n]*)\\n\\n" +
    "def total\\(unit, qty, fee\\):\\n    return ([^\\n]*)\\n$",
);

function secondOpinion(
  input: Uint8Array,
): Record<FunctionName, string> | null {
  if (input.length > 4_096) return null;
  const [, clamp, total] =
    WRAPPER.exec(Buffer.from(input).toString("latin1")) ?? [];
  if (clamp === undefined || total === undefined) return null;
  const allowed = judgeExpression(clamp, FUNCTION_PARAMETERS.clamp) !== null &&
    judgeExpression(total, FUNCTION_PARAMETERS.total) !== null;
  return allowed ? { clamp, total } : null;
}
