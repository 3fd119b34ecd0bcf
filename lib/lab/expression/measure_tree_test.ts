import assert from "node:assert/strict";
import { lexExpression } from "./lexer.ts";
import { measureTree, type TreeSize } from "./measure_tree.ts";
import { parseExpression } from "./parser.ts";
import { Refusal } from "./refusal.ts";
import { foreign, type PythonExpression } from "./syntax_tree.ts";

const X: PythonExpression = { kind: "name", offset: 7, name: "x" };

Deno.test("measureTree() counts as CPython's ast.walk does", () => {
  for (
    const [text, nodes, depth] of [
      ["1", 1, 1],
      ["x", 2, 1],
      ["(((x)))", 2, 1],
      ["-x", 4, 2],
      ["x + 1", 5, 2],
      ["x < 1", 5, 2],
      ["x if x < 1 else 2", 9, 3],
      ["x + 1 + 1 + 1", 11, 4],
      ["unit * qty + fee", 10, 3],
      ["f(x, y=1)", 7, 2],
    ] as const
  ) {
    assert.deepEqual(measure(text), { nodes, depth }, text);
  }
});

Deno.test("measureTree() lets 128 nodes pass, not 129", () => {
  assert.deepEqual(measureTree(foreign("tuple", 0, 126, [X])), {
    nodes: 128,
    depth: 2,
  });
  assert.deepEqual(refusal(foreign("tuple", 0, 127, [X])), {
    ok: false,
    code: "expression_limit",
    message: "The expression has 129 AST nodes; at most 128 are allowed",
  });
});

Deno.test("measureTree() lets depth 16 pass, not 17", () => {
  assert.deepEqual(measure(`${"-".repeat(15)}x`), { nodes: 32, depth: 16 });
  assert.deepEqual(refusal(parse(`${"-".repeat(16)}x`)), {
    ok: false,
    code: "expression_limit",
    message: "The expression tree is 17 deep; at most 16 is allowed",
    offset: 16,
  });
});

Deno.test("measureTree() names the nodes of a tree that is over both", () => {
  const { message } = refusal(parse(`${"-".repeat(100)}x`));
  assert.equal(
    message,
    "The expression has 202 AST nodes; at most 128 are allowed",
  );
});

Deno.test("measureTree() needs no stack for a tree of any depth", () => {
  let tree: PythonExpression = X;
  for (let level = 0; level < 200_000; level++) {
    tree = { kind: "unary", offset: 0, operator: "-", operand: tree };
  }
  assert.equal(refusal(tree).code, "expression_limit");
});

function parse(text: string): PythonExpression {
  return parseExpression(lexExpression(text));
}

function measure(text: string): TreeSize {
  return measureTree(parse(text));
}

function refusal(tree: PythonExpression): Refusal["answer"] {
  try {
    measureTree(tree);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.answer;
    throw thrown;
  }
  throw new assert.AssertionError({ message: "Not refused" });
}
