import assert from "node:assert/strict";
import { admitExpression } from "./admit_expression.ts";
import type { FunctionName } from "./function_names.ts";

Deno.test("admitExpression() admits the lab's expressions", () => {
  assert.deepEqual(admitExpression("total", "unit + 7"), {
    ok: true,
    expression: {
      functionName: "total",
      text: "unit + 7",
      root: {
        kind: "binary",
        offset: 0,
        operator: "+",
        left: { kind: "name", offset: 0, name: "unit" },
        right: { kind: "constant", offset: 7, value: 7 },
      },
      nodes: 5,
      depth: 2,
    },
  });
  for (
    const [functionName, text, nodes, depth] of [
      ["clamp", "x", 2, 1],
      ["clamp", "lo if x < lo else hi if x > hi else x", 20, 4],
      ["total", "unit + qty + fee", 10, 3],
      ["total", "unit * qty + fee", 10, 3],
      ["clamp", "(x if x > lo else lo) * (0 if x == hi else 1)", 22, 4],
      ["clamp", "1 if (lo if x < lo else hi) != x else +0", 20, 5],
    ] as const
  ) {
    const admission = admitExpression(functionName, text);
    assert.ok(admission.ok, text);
    const { expression } = admission;
    assert.deepEqual(
      [expression.nodes, expression.depth],
      [nodes, depth],
      text,
    );
  }
});

Deno.test("admitExpression() names each construct that it forbids", () => {
  for (
    const [text, construct] of [
      ["abs(x)", "A call"],
      ["__import__('os').system('ls')", "A call"],
      ["x.real", "Attribute access"],
      ["x[0]", "A subscript"],
      ["x[0:1]", "A subscript"],
      ["'x'", "A string"],
      ["'a' 'b'", "A string"],
      ["f'{x}'", "A formatted string"],
      ["b'x'", "A bytes literal"],
      ["[x]", "A list"],
      ["(x, 1)", "A tuple"],
      ["x, 1", "A tuple"],
      ["()", "A tuple"],
      ["{x}", "A set"],
      ["{x: 1}", "A dictionary"],
      ["[x for x in y]", "A comprehension"],
      ["(x for x in y)", "A generator expression"],
      ["x and lo", 'A Boolean operator "and" or "or"'],
      ["not x", 'The Boolean operator "not"'],
      ["x is lo", 'The identity test "is"'],
      ["x not in lo", 'The membership test "in"'],
      ["lo < x < hi", "A chained comparison"],
      ["x ** 2", 'The power operator "**"'],
      ["x / 2", "Division"],
      ["x // 2", "Division"],
      ["x % 2", 'The remainder operator "%"'],
      ["x @ lo", 'The matrix product "@"'],
      ["x & 1", "A bitwise operator"],
      ["x << 1", "A bitwise operator"],
      ["~x", "A bitwise operator"],
      ["lambda: x", "A lambda"],
      ["(x := 1)", 'An assignment expression ":="'],
      ["1.5", "A float"],
      ["True", "A Boolean constant"],
      ["None", '"None"'],
      ["...", 'The ellipsis "..."'],
      ["await x", '"await"'],
      ["(yield x)", '"yield"'],
    ] as const
  ) {
    assert.deepEqual(admitExpression("clamp", text), {
      ok: false,
      code: "expression_forbidden_node",
      message: `${construct} is not allowed; ` +
        "use integers, x, lo, hi, + - *, one comparison, if-else",
      offset: PARENTHESISED.test(text) ? 1 : 0,
    }, text);
  }
});

/** Parentheses that belong to no node: the offset is after them. */
const PARENTHESISED = /^\((?:x :=|yield)/;

Deno.test("admitExpression() finds what is forbidden in a branch that isn't taken", () => {
  assert.deepEqual(
    admitExpression("clamp", "x if 1 == 1 else exit(x)"),
    {
      ok: false,
      code: "expression_forbidden_node",
      message: "A call is not allowed; " +
        "use integers, x, lo, hi, + - *, one comparison, if-else",
      offset: 17,
    },
  );
});

Deno.test("admitExpression() knows the function's own parameters alone", () => {
  assert.deepEqual(admitExpression("clamp", "x + fee"), {
    ok: false,
    code: "unknown_name",
    message: 'Unknown name "fee"; "clamp" has x, lo, hi',
    offset: 4,
  });
  assert.deepEqual(admitExpression("total", "x"), {
    ok: false,
    code: "unknown_name",
    message: 'Unknown name "x"; "total" has unit, qty, fee',
    offset: 0,
  });
  for (const name of ["__class__", "constructor", "X", "_", "toString"]) {
    assert.equal(code("clamp", name), "unknown_name", name);
  }
});

Deno.test("admitExpression() wants integers and comparisons in their places", () => {
  const comparison = "A comparison stands where an integer must stand";
  const integer = "An integer stands where a comparison must stand";
  for (
    const [text, message, offset] of [
      ["x < lo", comparison, 0],
      ["(x < lo) + 1", comparison, 1],
      ["1 - (x < lo)", comparison, 5],
      ["(x < lo) + (x < hi)", comparison, 1],
      ["-(x < lo)", comparison, 2],
      ["1 if (x < lo) == lo else 2", comparison, 6],
      ["(x < lo) if x < lo else 1", comparison, 1],
      ["1 if x < lo else x == lo", comparison, 17],
      ["1 if x else lo", integer, 5],
      ["1 if 1 else lo", integer, 5],
      ["1 if (x if x < lo else lo) else lo", integer, 6],
      ["1 if -x else lo", integer, 5],
    ] as const
  ) {
    assert.deepEqual(admitExpression("clamp", text), {
      ok: false,
      code: "expression_type",
      message,
      offset,
    }, text);
  }
});

Deno.test("admitExpression() lets literals of 1000000 pass, not 1000001", () => {
  assert.equal(code("clamp", "-1000000"), "admitted");
  assert.equal(code("clamp", "0000000"), "admitted");
  assert.deepEqual(admitExpression("clamp", "x - 1000001"), {
    ok: false,
    code: "expression_limit",
    message: "The integer 1000001 is over 1000000",
    offset: 4,
  });
});

Deno.test("admitExpression() holds each limit on both sides", () => {
  const sum = Array(8).fill("x").join("+");
  const nodes126 = Array(4).fill(`(${sum})`).join("+");
  for (
    const [within, beyond, reason] of [
      [`x${" ".repeat(253)}+1`, `x${" ".repeat(254)}+1`, "expression_bounds"],
      [nested(16, "("), nested(17, "("), "expression_limit"],
      ["0000000", "00000000", "expression_limit"],
      [`-${nodes126}`, `-${nodes126.slice(0, -1)}+1)`, "expression_limit"],
      [`${"-".repeat(15)}x`, `${"-".repeat(16)}x`, "expression_limit"],
      ["1000000", "1000001", "expression_limit"],
    ] as const
  ) {
    assert.equal(code("clamp", within), "admitted", within);
    assert.equal(code("clamp", beyond), reason, beyond);
  }
  // An odd count of nodes, since a sign adds two.
  const nodes128 = admitExpression("clamp", `-${nodes126}`);
  assert.ok(nodes128.ok);
  assert.equal(nodes128.expression.nodes, 128);
  assert.deepEqual(admitExpression("clamp", `${nodes126}+1`), {
    ok: false,
    code: "expression_limit",
    message: "The expression has 129 AST nodes; at most 128 are allowed",
  });
});

Deno.test("admitExpression() lets the earlier check decide the code", () => {
  for (
    const [text, expected] of [
      // Bounds before tokens, tokens before the parser.
      ["0x1\t", "expression_bounds"],
      [`${"9".repeat(257)}`, "expression_bounds"],
      ["x) 12345678", "expression_limit"],
      ["x x 0x1", "expression_syntax"],
      // The parser before tree limits.
      [`${"-".repeat(20)}`, "expression_syntax"],
      // Tree limits before the walk.
      [`${"-".repeat(16)}f(y)`, "expression_limit"],
      [`${"[".repeat(17)}${"]".repeat(17)}`, "expression_limit"],
      [`${"[".repeat(16)}${"]".repeat(16)}`, "expression_forbidden_node"],
      // One walk: the first of node, name and literal.
      ["y + f(x)", "unknown_name"],
      ["f(x) + y", "expression_forbidden_node"],
      ["9999999 + y", "expression_limit"],
      ["y(x)", "expression_forbidden_node"],
      // A condition comes before its branches.
      ["y if x.z < 1 else lo", "expression_forbidden_node"],
      // Types come last.
      ["x == 'a'", "expression_forbidden_node"],
      ["(x < lo) + y", "unknown_name"],
      ["(x < lo) * 1000001", "expression_limit"],
    ] as const
  ) {
    assert.equal(code("clamp", text), expected, text);
  }
});

Deno.test("admitExpression() never says more than 160 printable bytes", () => {
  const long = "y".repeat(256);
  for (
    const text of [
      "",
      long,
      `x ${long.slice(2)}`,
      `'${long.slice(2)}`,
      `x.${long.slice(2)}`,
      `'\\${long.slice(3)}'`,
      `${"9".repeat(250)}x`,
      "9".repeat(250),
      "x\u2028",
      "not x",
    ]
  ) {
    const admission = admitExpression("total", text);
    assert.ok(!admission.ok);
    assert.match(admission.message, /^[A-Z"][ -~]{1,159}$/);
  }
});

function nested(count: number, open: "("): string {
  return `${open.repeat(count)}x${")".repeat(count)}`;
}

function code(functionName: FunctionName, text: string): string {
  const admission = admitExpression(functionName, text);
  return admission.ok ? "admitted" : admission.code;
}
