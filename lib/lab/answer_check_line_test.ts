import assert from "node:assert/strict";
import { answerCheckLine } from "./answer_check_line.ts";

const SOURCE = `def clamp(x, lo, hi):
    return x

def total(unit, qty, fee):
    return unit + qty + fee
`;

Deno.test("answerCheckLine() answers an expression with its size", () => {
  assert.deepEqual(ask({ function: "clamp", expr: "x + 1" }), {
    ok: true,
    nodes: 5,
    depth: 2,
  });
});

Deno.test("answerCheckLine() answers inputs with a value or an error", () => {
  const question = { function: "total", expr: "unit * qty + fee" };
  assert.deepEqual(ask({ ...question, inputs: [3, 4, 2] }), {
    ok: true,
    nodes: 10,
    depth: 3,
    value: 14,
  });
  assert.deepEqual(ask({ ...question, inputs: [1_001, 1_000, 0] }), {
    ok: true,
    nodes: 10,
    depth: 3,
    error: "magnitude_limit",
  });
});

Deno.test("answerCheckLine() takes integers by their lexeme, whatever their size", () => {
  const line = (inputs: string): string =>
    `{"inputs":[${inputs}],"expr":"x","function":"clamp"}`;
  const size = { ok: true, nodes: 2, depth: 1 };
  assert.deepEqual(answer(line("-0,1000000,-1000000")), { ...size, value: 0 });
  for (const big of ["1000001", "9".repeat(30), `-${"9".repeat(400)}`]) {
    assert.deepEqual(answer(line(`0,0,${big}`)), {
      ...size,
      error: "magnitude_limit",
    });
  }
  for (const other of ["1.0", "1e0", "1E3", "0.5", "true", '"1"', "null"]) {
    assert.deepEqual(answer(line(`0,0,${other}`)), {
      ok: false,
      code: "invalid_type",
      message: 'The field "inputs" must be an array of integers',
    });
  }
});

Deno.test("answerCheckLine() answers a refused expression with code and place", () => {
  assert.deepEqual(ask({ function: "clamp", expr: "x + f(x)" }), {
    ok: false,
    code: "expression_forbidden_node",
    message: "A call is not allowed; " +
      "use integers, x, lo, hi, + - *, one comparison, if-else",
    offset: 4,
  });
  const sum = Array(50).fill("x").join("+");
  assert.deepEqual(ask({ function: "clamp", expr: sum }), {
    ok: false,
    code: "expression_limit",
    message: "The expression has 198 AST nodes; at most 128 are allowed",
  });
});

Deno.test("answerCheckLine() answers a source with its expressions", () => {
  assert.deepEqual(ask({ source: SOURCE }), {
    ok: true,
    expressions: { clamp: "x", total: "unit + qty + fee" },
  });
});

Deno.test("answerCheckLine() answers a refused source with its place", () => {
  assert.deepEqual(ask({ source: SOURCE.replace("return x", "return y") }), {
    ok: false,
    code: "source_invalid",
    message: 'The expression of "clamp" is refused (unknown_name): ' +
      'Unknown name "y"; "clamp" has x, lo, hi',
    offset: 33,
  });
  assert.deepEqual(ask({ source: SOURCE.replace("(x,", "(é,") }), {
    ok: false,
    code: "source_invalid",
    message: "The source differs from the two fixed functions at byte 10: " +
      "expected 'x', found the byte 0xc3",
    offset: 10,
  });
});

Deno.test("answerCheckLine() answers every malformed line", () => {
  for (
    const [line, code, message] of [
      ["[]", "not_an_object", "The line is no JSON object"],
      ["1", "not_an_object", "The line is no JSON object"],
      ["{}", "invalid_fields", 'The field "function" is missing'],
      [
        '{"function":"clamp"}',
        "invalid_fields",
        'The field "expr" is missing',
      ],
      [
        '{"function":"clamp","expr":"x","x":1}',
        "invalid_fields",
        'Unknown field "x"',
      ],
      [
        '{"source":"","expr":"x"}',
        "invalid_fields",
        'Unknown field "expr"',
      ],
      [
        '{"source":"","__proto__":{}}',
        "invalid_fields",
        'Unknown field "__proto__"',
      ],
      [
        '{"source":1}',
        "invalid_type",
        'The field "source" must be a string',
      ],
      [
        '{"function":null,"expr":"x"}',
        "invalid_type",
        'The field "function" must be a string',
      ],
      [
        '{"function":"clamp","expr":["x"]}',
        "invalid_type",
        'The field "expr" must be a string',
      ],
      [
        '{"function":"constructor","expr":"x"}',
        "unknown_function",
        'Unknown function "constructor"; there are "clamp" and "total"',
      ],
      [
        '{"function":"clamp","expr":"x","inputs":{}}',
        "invalid_type",
        'The field "inputs" must be an array of integers',
      ],
      [
        '{"function":"clamp","expr":"x","inputs":[1,2]}',
        "invalid_value",
        '"clamp" takes 3 inputs, not 2',
      ],
      [
        '{"function":"clamp","expr":"x","inputs":[]}',
        "invalid_value",
        '"clamp" takes 3 inputs, not 0',
      ],
      [
        '{"function":"clamp","expr":"x","inputs":[1,2,3,4]}',
        "invalid_value",
        '"clamp" takes 3 inputs, not 4',
      ],
    ] as const
  ) {
    assert.deepEqual(answer(line), { ok: false, code, message }, line);
  }
});

Deno.test("answerCheckLine() hands on what the JSON scan refuses", () => {
  for (
    const [line, code] of [
      ["", "invalid_json"],
      ["x", "invalid_json"],
      ['{"source":""} x', "invalid_json"],
      ['{"source":"","source":""}', "duplicate_key"],
      ['{"source":"\\ud800"}', "invalid_json"],
      [`${"[".repeat(8)}${"]".repeat(8)}`, "not_an_object"],
      [`${"[".repeat(9)}${"]".repeat(9)}`, "json_nesting_limit"],
    ] as const
  ) {
    assert.equal(answer(line).code, code, line);
  }
  assert.deepEqual(answerCheckLine(Uint8Array.of(0xff)).code, "invalid_json");
});

Deno.test("answerCheckLine() judges text bounds on what the JSON string holds", () => {
  const escaped = '{"function":"clamp","expr":"\\u0078 \\u002b 1"}';
  assert.deepEqual(answer(escaped), { ok: true, nodes: 5, depth: 2 });
  for (const expr of ["", "x\n", "x\u00e9", "x".repeat(257)]) {
    const { code } = ask({ function: "clamp", expr });
    assert.equal(code, "expression_bounds");
  }
});

function ask(question: unknown): ReturnType<typeof answerCheckLine> {
  return answer(JSON.stringify(question));
}

function answer(line: string): ReturnType<typeof answerCheckLine> {
  return answerCheckLine(new TextEncoder().encode(line));
}
