// Random trees of what lab Part 4 allows: written down and read again they are
// the same, and what they evaluate to is what plain big integers say.

import assert from "node:assert/strict";
import fc from "fast-check";
import { admitExpression } from "./admit_expression.ts";
import { evaluateExpression, type Evaluation } from "./evaluate_expression.ts";
import { FUNCTION_PARAMETERS } from "./function_names.ts";
import type { BooleanExpression, IntegerExpression } from "./syntax_tree.ts";

const PARAMETERS = FUNCTION_PARAMETERS.clamp;

const { integer: INTEGER } = fc.letrec<{
  integer: IntegerExpression;
  boolean: BooleanExpression;
}>((tie) => ({
  integer: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...PARAMETERS).map((name) => node({ kind: "name", name })),
    fc.oneof(fc.nat(9), fc.nat(1_000_000)).map((value) =>
      node({ kind: "constant", value })
    ),
    fc.record({
      operator: fc.constantFrom("+", "-"),
      operand: tie("integer"),
    }).map((fields) => node({ kind: "unary", ...fields })),
    fc.record({
      operator: fc.constantFrom("+", "-", "*"),
      left: tie("integer"),
      right: tie("integer"),
    }).map((fields) => node({ kind: "binary", ...fields })),
    fc.record({
      condition: tie("boolean"),
      body: tie("integer"),
      otherwise: tie("integer"),
    }).map((fields) => node({ kind: "conditional", ...fields })),
  ),
  boolean: fc.record({
    operator: fc.constantFrom("<", "<=", ">", ">=", "==", "!="),
    left: tie("integer"),
    right: tie("integer"),
  }).map((fields) => ({ kind: "comparison", offset: 0, ...fields })),
}));

const INPUT = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.integer({ min: -1_000_001, max: 1_000_001 }),
);

Deno.test("admitExpression() reads back the tree that was written", () => {
  let admitted = 0;
  fc.assert(
    fc.property(INTEGER, fc.constantFrom("", " ", "  "), (tree, space) => {
      const text = write(tree, CONDITIONAL, space);
      const admission = admitExpression("clamp", text);
      if (!admission.ok) {
        const reasons = ["expression_bounds", "expression_limit"];
        assert.ok(reasons.includes(admission.code), admission.message);
        return;
      }
      admitted++;
      assert.deepEqual(withoutOffsets(admission.expression.root), tree);
      assert.equal(admission.expression.text, text);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(admitted > 500, `${admitted} admitted`);
});

Deno.test("evaluateExpression() agrees with big integers", () => {
  fc.assert(
    fc.property(INTEGER, fc.tuple(INPUT, INPUT, INPUT), (tree, inputs) => {
      assert.deepEqual(
        evaluateExpression(tree, PARAMETERS, inputs),
        naively(tree, inputs),
      );
    }),
    { numRuns: 2_000 },
  );
});

/** Gives a node the offset that every tree here has. */
function node(
  fields: IntegerExpression extends infer N
    ? N extends IntegerExpression ? Omit<N, "offset"> : never
    : never,
): IntegerExpression {
  return { offset: 0, ...fields } as IntegerExpression;
}

function withoutOffsets(tree: IntegerExpression): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, value) => key === "offset" ? 0 : value),
  );
}

// Levels at which a node needs no parentheses; a higher one binds tighter.
const CONDITIONAL = 0;
const COMPARISON = 1;
const SUM = 2;
const PRODUCT = 3;
const SIGN = 4;

function write(
  tree: IntegerExpression | BooleanExpression,
  level: number,
  space: string,
): string {
  const part = (
    part: IntegerExpression | BooleanExpression,
    level: number,
  ): string => write(part, level, space);
  const grouped = (own: number, text: string): string =>
    own < level ? `(${space}${text}${space})` : text;
  switch (tree.kind) {
    case "constant":
      return String(tree.value);
    case "name":
      return tree.name;
    case "unary":
      return grouped(SIGN, tree.operator + space + part(tree.operand, SIGN));
    case "binary": {
      const own = tree.operator === "*" ? PRODUCT : SUM;
      const left = part(tree.left, own);
      const right = part(tree.right, own + 1);
      return grouped(own, left + space + tree.operator + space + right);
    }
    case "comparison": {
      const left = part(tree.left, SUM);
      const right = part(tree.right, SUM);
      return grouped(COMPARISON, left + space + tree.operator + space + right);
    }
    case "conditional": {
      const body = part(tree.body, COMPARISON);
      const condition = part(tree.condition, COMPARISON);
      const otherwise = part(tree.otherwise, CONDITIONAL);
      return grouped(
        CONDITIONAL,
        `${body} ${space}if ${condition} else${space} ${otherwise}`,
      );
    }
  }
}

/** Over every intermediate value, in order; the first oversized one decides. */
function naively(
  tree: IntegerExpression,
  inputs: readonly number[],
): Evaluation {
  let visits = 0;
  let error: "magnitude_limit" | "visit_limit" | undefined;
  const seen = (value: bigint): bigint => {
    if (value > 1_000_000n || value < -1_000_000n) error ??= "magnitude_limit";
    return value;
  };
  const visit = (node: IntegerExpression | BooleanExpression): bigint => {
    if (++visits > 256) error ??= "visit_limit";
    if (error !== undefined) return 0n;
    switch (node.kind) {
      case "constant":
        return seen(BigInt(node.value));
      case "name":
        return seen(
          BigInt(inputs[PARAMETERS.findIndex((p) => p === node.name)]!),
        );
      case "unary": {
        const operand = visit(node.operand);
        return seen(node.operator === "-" ? -operand : operand);
      }
      case "conditional":
        return visit(node.condition) === 1n
          ? visit(node.body)
          : visit(node.otherwise);
      case "binary": {
        const left = visit(node.left);
        const right = visit(node.right);
        if (node.operator === "+") return seen(left + right);
        return seen(node.operator === "-" ? left - right : left * right);
      }
      case "comparison": {
        const left = visit(node.left);
        const right = visit(node.right);
        const holds = node.operator === "!="
          ? left !== right
          : left < right && node.operator.startsWith("<") ||
            left > right && node.operator.startsWith(">") ||
            left === right && node.operator.endsWith("=");
        return holds ? 1n : 0n;
      }
    }
  };
  inputs.forEach((input) => seen(BigInt(input)));
  const value = visit(tree);
  return error === undefined
    ? { ok: true, value: Number(value) }
    : { ok: false, error };
}
