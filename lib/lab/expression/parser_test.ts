import assert from "node:assert/strict";
import { lexExpression } from "./lexer.ts";
import { parseExpression } from "./parser.ts";
import { Refusal } from "./refusal.ts";
import type { PythonExpression } from "./syntax_tree.ts";

/** Made with CPython 3.13; see its own first line. */
interface ExpressionsOfPython {
  readonly accepted: Readonly<Record<string, readonly [number, number]>>;
  readonly refused: readonly string[];
}

const PYTHON: ExpressionsOfPython = JSON.parse(
  Deno.readTextFileSync(
    new URL("../../../fixtures/expressions_of_python.json", import.meta.url),
  ),
);

Deno.test("parseExpression() reads what CPython reads, in the same size", () => {
  const accepted = Object.entries(PYTHON.accepted);
  assert.ok(accepted.length > 200);
  for (const [text, size] of accepted) {
    assert.deepEqual(sizeOf(parse(text)), size, text);
  }
});

Deno.test("parseExpression() refuses what CPython refuses", () => {
  assert.ok(PYTHON.refused.length > 100);
  for (const text of PYTHON.refused) {
    assert.equal(refusal(text).code, "expression_syntax", text);
  }
});

Deno.test("parseExpression() keeps operator, operands and offsets", () => {
  const name = (text: string, offset: number): PythonExpression => ({
    kind: "name",
    offset,
    name: text,
  });
  assert.deepEqual(parse("(x) + 2*-hi if lo != x else x"), {
    kind: "conditional",
    offset: 0,
    condition: {
      kind: "comparison",
      offset: 15,
      operator: "!=",
      left: name("lo", 15),
      right: name("x", 21),
    },
    body: {
      kind: "binary",
      offset: 0,
      operator: "+",
      left: name("x", 1),
      right: {
        kind: "binary",
        offset: 6,
        operator: "*",
        left: { kind: "constant", offset: 6, value: 2 },
        right: {
          kind: "unary",
          offset: 8,
          operator: "-",
          operand: name("hi", 9),
        },
      },
    },
    otherwise: name("x", 28),
  });
});

Deno.test("parseExpression() binds as tightly as Python does", () => {
  for (
    const [text, grouped] of [
      ["a - b - c", "((a - b) - c)"],
      ["a - b + c", "((a - b) + c)"],
      ["a + b * c", "(a + (b * c))"],
      ["a * b + c", "((a * b) + c)"],
      ["a * b * c", "((a * b) * c)"],
      ["-a * b", "((-a) * b)"],
      ["-a + -b", "((-a) + (-b))"],
      ["- - + a", "(-(-(+a)))"],
      ["a + b < c * d", "((a + b) < (c * d))"],
      ["a if b else c if d else e", "(a if b else (c if d else e))"],
      ["(a if b else c) if d else e", "((a if b else c) if d else e)"],
      ["a if b < c else d + e", "(a if (b < c) else (d + e))"],
      ["a * (b + c)", "(a * (b + c))"],
      ["(a < b) < c", "((a < b) < c)"],
    ] as const
  ) {
    assert.equal(group(parse(text)), grouped, text);
  }
});

Deno.test("parseExpression() reads an expression as long as one can be", () => {
  for (
    const [open, middle, close] of [
      ["[", "", "]"],
      ["{0:", "0", "}"],
      ["x[", "x", "]"],
      ["-", "x", ""],
      ["not ", "x", ""],
      ["lambda:", "x", ""],
      ["x**", "x", ""],
      ["x if x else ", "x", ""],
    ] as const
  ) {
    const count = Math.floor(255 / (open.length + close.length));
    const text = open.repeat(count) + middle + close.repeat(count);
    assert.ok(sizeOf(parse(text))[1] >= count, text);
  }
});

Deno.test("parseExpression() says where it stopped and what it wanted", () => {
  for (
    const [text, message, offset] of [
      ["x +", "The expression ends too early", 3],
      ["x y", 'Unexpected "y"', 2],
      ["x if y", 'Expected "else", found the end', 6],
      ["(x", 'Expected ")", found the end', 2],
      ["import os", 'Unexpected "import"', 0],
      ["x.", "Expected a name, found the end", 2],
      ["f(x, y=1, z)", 'Expected a keyword and "=", found "z"', 10],
      ["'a' b'a'", "Bytes and text literals stand side by side", 4],
      ["'\\x1'", "A string holds the broken escape \\x", 0],
      [
        "x a23456789012345678901234567",
        'Unexpected "a23456789012345678901..."',
        2,
      ],
    ] as const
  ) {
    assert.deepEqual(refusal(text), {
      ok: false,
      code: "expression_syntax",
      message,
      offset,
    });
  }
});

function parse(text: string): PythonExpression {
  return parseExpression(lexExpression(text));
}

function refusal(text: string): Refusal["answer"] {
  try {
    parse(text);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.answer;
    throw thrown;
  }
  throw new assert.AssertionError({ message: `Not refused: ${text}` });
}

/** Nodes and depth, counted the plain way. */
function sizeOf(node: PythonExpression): [number, number] {
  const own = { constant: 1, conditional: 1, name: 2, unary: 2, binary: 2 };
  let nodes = node.kind === "foreign"
    ? node.ownNodes
    : node.kind === "comparison"
    ? 2
    : own[node.kind];
  let depth = 0;
  for (const child of childrenOf(node)) {
    const [childNodes, childDepth] = sizeOf(child);
    nodes += childNodes;
    depth = Math.max(depth, childDepth);
  }
  return [nodes, depth + 1];
}

function childrenOf(node: PythonExpression): readonly PythonExpression[] {
  if (node.kind === "foreign") return node.children;
  return Object.values(node).filter((value) => typeof value === "object");
}

function group(node: PythonExpression): string {
  switch (node.kind) {
    case "constant":
      return String(node.value);
    case "name":
      return node.name;
    case "unary":
      return `(${node.operator}${group(node.operand)})`;
    case "binary":
    case "comparison":
      return `(${group(node.left)} ${node.operator} ${group(node.right)})`;
    case "conditional":
      return `(${group(node.body)} if ${group(node.condition)} else ${
        group(node.otherwise)
      })`;
    case "foreign":
      return node.construct;
  }
}
