import assert from "node:assert/strict";
import { admitExpression } from "./admit_expression.ts";
import { evaluateExpression, type Evaluation } from "./evaluate_expression.ts";
import type { IntegerExpression } from "./syntax_tree.ts";

Deno.test("evaluateExpression() computes each operation", () => {
  for (
    const [text, value] of [
      ["x", 7],
      ["+x", 7],
      ["-x", -7],
      ["x + lo", 4],
      ["x - lo", 10],
      ["x * lo", -21],
      ["1 + 2 * 3 - 4", 3],
      ["1 if x < lo else 2", 2],
      ["1 if x <= 7 else 2", 1],
      ["1 if x > lo else 2", 1],
      ["1 if x >= 8 else 2", 2],
      ["1 if x == 7 else 2", 1],
      ["1 if x != 7 else 2", 2],
      ["lo if x < lo else hi if x > hi else x", 5],
      ["0 * -1", 0],
      ["-0", 0],
    ] as const
  ) {
    assert.deepEqual(evaluate(text, [7, -3, 5]), { ok: true, value }, text);
  }
});

Deno.test("evaluateExpression() takes magnitudes of 1000000, not 1000001, anywhere", () => {
  const million = 1_000_000;
  for (
    const [text, x, within] of [
      ["x", million, true],
      ["x", million + 1, false],
      ["x", -million, true],
      ["x", -million - 1, false],
      ["lo", million + 1, false],
      ["x + 1", million - 1, true],
      ["x + 1", million, false],
      ["x - 1", -million, false],
      ["-x * 1000", 1_000, true],
      ["x * 1000", 1_001, false],
      ["x * x", million, false],
      ["x * x * 0", 1_001, false],
      ["(x + 1) - (x + 1)", million, false],
      ["0 if x * x < 1 else 1", 1_001, false],
      ["0 if 1 < 2 else x * x", 1_001, true],
    ] as const
  ) {
    const evaluation = evaluate(text, [x, 0, 0]);
    assert.equal(evaluation.ok, within, `${text} for ${x}`);
    if (!evaluation.ok) assert.equal(evaluation.error, "magnitude_limit");
  }
});

Deno.test("evaluateExpression() refuses a literal that admission would refuse", () => {
  const literal = (value: number): IntegerExpression => ({
    kind: "constant",
    offset: 0,
    value,
  });
  assert.deepEqual(evaluateExpression(literal(1_000_000), [], []), {
    ok: true,
    value: 1_000_000,
  });
  assert.deepEqual(evaluateExpression(literal(1_000_001), [], []), {
    ok: false,
    error: "magnitude_limit",
  });
});

Deno.test("evaluateExpression() makes 256 visits, not 257", () => {
  assert.deepEqual(evaluateExpression(signs(255), ["x"], [3]), {
    ok: true,
    value: -3,
  });
  const limited = { ok: false, error: "visit_limit" };
  assert.deepEqual(evaluateExpression(signs(256), ["x"], [3]), limited);
  assert.deepEqual(evaluateExpression(signs(100_000), ["x"], [3]), limited);
});

Deno.test("evaluateExpression() counts comparisons and only the taken branch", () => {
  const choice = (x: number, branch: IntegerExpression): IntegerExpression => ({
    kind: "conditional",
    offset: 0,
    condition: {
      kind: "comparison",
      offset: 0,
      operator: "==",
      left: { kind: "name", offset: 0, name: "x" },
      right: { kind: "constant", offset: 0, value: x },
    },
    body: branch,
    otherwise: { kind: "constant", offset: 0, value: 0 },
  });
  // The conditional, its comparison and two operands are 4 visits.
  assert.equal(evaluateExpression(choice(3, signs(251)), ["x"], [3]).ok, true);
  assert.equal(evaluateExpression(choice(3, signs(252)), ["x"], [3]).ok, false);
  assert.deepEqual(evaluateExpression(choice(4, signs(999)), ["x"], [3]), {
    ok: true,
    value: 0,
  });
});

Deno.test("evaluateExpression() knows one zero", () => {
  for (const text of ["-x", "x * -1", "x", "0 - x", "+x"]) {
    for (const zero of [0, -0]) {
      const evaluation = evaluate(text, [zero, 0, 0]);
      assert.ok(evaluation.ok && Object.is(evaluation.value, 0), text);
    }
  }
});

Deno.test("evaluateExpression() throws where the caller is at fault", () => {
  for (const input of [1.5, NaN, Infinity, -Infinity, 2 ** 53, 1e300]) {
    assert.throws(() => evaluate("lo", [input, 0, 0]), {
      name: "TypeError",
      message: `Cannot evaluate with ${input}: it is no integer`,
    });
  }
  const inputs = [true, "1", null, 1n] as unknown as readonly number[];
  for (const input of inputs) {
    assert.throws(() => evaluate("lo", [input, 0, 0]), TypeError);
  }
  for (const count of [0, 2, 4]) {
    assert.throws(() => evaluate("x", Array(count).fill(0)), {
      name: "RangeError",
      message: `Cannot evaluate with ${count} inputs: there are 3 parameters`,
    });
  }
  assert.throws(
    () =>
      evaluateExpression({ kind: "name", offset: 0, name: "y" }, ["x"], [1]),
    { name: "RangeError", message: 'Cannot evaluate "y": it is no parameter' },
  );
});

/** A name behind that many minus signs. */
function signs(count: number): IntegerExpression {
  let tree: IntegerExpression = { kind: "name", offset: 0, name: "x" };
  for (let sign = 0; sign < count; sign++) {
    tree = { kind: "unary", offset: 0, operator: "-", operand: tree };
  }
  return tree;
}

function evaluate(text: string, inputs: readonly number[]): Evaluation {
  const admission = admitExpression("clamp", text);
  assert.ok(admission.ok, text);
  const { root } = admission.expression;
  return evaluateExpression(root, ["x", "lo", "hi"], inputs);
}
