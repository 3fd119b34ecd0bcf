// Lexer, parser, measure and evaluation, against a descent over big integers.
// The differential test against CPython says the same of codes and places; here
// every input counts, whatever led to it.

import assert from "node:assert/strict";
import { askQuestion } from "../../../tests/expression_generator.ts";
import { admitExpression } from "../../../lib/lab/expression/admit_expression.ts";
import { evaluateExpression } from "../../../lib/lab/expression/evaluate_expression.ts";
import {
  FUNCTION_NAMES,
  FUNCTION_PARAMETERS,
  type FunctionName,
} from "../../../lib/lab/expression/function_names.ts";
import {
  assertMessage,
  assertOffset,
  shapeOf,
  twice,
} from "../answer_rules.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { judgeExpression } from "../judge_expression.ts";

/** Fuzzes the expressions' language; each input is asked for both functions. */
export function expressionTarget(admit = admitExpression): FuzzTarget {
  return {
    name: "expression",
    maxBytes: 260,
    words: EXPRESSION_WORDS,
    generate: (random) => bytesOf(askQuestion(random)[1]),
    judge: (input) => {
      const text = textOf(input);
      return FUNCTION_NAMES.map((name) => judge(name, text, admit)).join();
    },
  };
}

/** Words of the language, and of Python's that isn't allowed. */
export const EXPRESSION_WORDS: readonly string[] = [
  ..."x lo hi unit qty fee if else ( ) + - * < <= > >= == != 0 1 7".split(" "),
  ...[" if ", " else ", "1000000", "1000001", "9999999", "00", "01", " ", "  "],
  ..."** // / % @ ~ & | ^ << >> := -> . , : ; [ ] { } and or not is in".split(
    " ",
  ),
  ..."lambda f( x[ 'a' 1.5 1e5 0x1 1_0 1j True None yield await = ! $ ? ` #"
    .split(" "),
  ...[
    "((((((((",
    "))))))))",
    "--------",
    "x+x+x+x+",
    "\n",
    "\t",
    "\\",
    "\u00e9",
  ],
  ...["f'{x}'", 'b"', "'''", "not in", "is not", "x if x<lo else "],
];

/** What each function is evaluated for: small, at the limits and over them. */
const INPUTS: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [3, 1, 2],
  [-7, 1, 10],
  [1_000, 1_000, -1_000],
  [1_000_000, -1_000_000, 1],
  [1_000_001, 0, 0],
];

function judge(
  functionName: FunctionName,
  text: string,
  admit: typeof admitExpression,
): string {
  const found = twice(() => admit(functionName, text));
  const parameters = FUNCTION_PARAMETERS[functionName];
  const second = judgeExpression(text, parameters);
  if (!found.ok) {
    assert.equal(second, null, `refused (${found.code}), where it is allowed`);
    assertMessage(found.message, 160);
    assert.match(found.message, /^[ -~]+$/, "a message beyond ASCII");
    if (found.offset !== undefined) assertOffset(found.offset, text.length);
    return `${found.code} ${shapeOf(found.message)}`;
  }
  assert.ok(second !== null, "accepted, where it isn't allowed");
  const { root, nodes, depth, text: kept } = found.expression;
  assert.deepEqual(
    { nodes, depth, kept },
    { nodes: second.nodes, depth: second.depth, kept: text },
  );
  const kinds = INPUTS.map((inputs) => {
    const result = evaluateExpression(root, parameters, inputs);
    const value = result.ok ? result.value : result.error;
    assert.equal(value, second.evaluate(inputs), `for ${inputs}`);
    return result.ok ? "v" : "m";
  });
  return `${root.kind} ${nodes >> 4} ${depth >> 2} ${kinds.join("")}`;
}
