import assert from "node:assert/strict";
import { lexExpression } from "./lexer.ts";
import { Refusal } from "./refusal.ts";
import type { Token } from "./token.ts";

Deno.test("lexExpression() gives kind, text and offset of every token", () => {
  assert.deepEqual(lexExpression("lo if x<=10 else -hi"), [
    { kind: "name", text: "lo", offset: 0 },
    { kind: "symbol", text: "if", offset: 3 },
    { kind: "name", text: "x", offset: 6 },
    { kind: "symbol", text: "<=", offset: 7 },
    { kind: "integer", text: "10", offset: 9 },
    { kind: "symbol", text: "else", offset: 12 },
    { kind: "symbol", text: "-", offset: 17 },
    { kind: "name", text: "hi", offset: 18 },
    { kind: "end", text: "", offset: 20 },
  ]);
});

Deno.test("lexExpression() takes the longest operator", () => {
  for (
    const operator of [
      ..."+ - * / // % @ ** << >> & | ^ ~ < <= > >= == != = : := . ... , ; !"
        .split(" "),
      ..."( ) [ ] { }".split(" "),
    ]
  ) {
    assert.deepEqual(words(`x ${operator} y`), ["x", operator, "y"]);
    assert.deepEqual(words(`x${operator} y`), ["x", operator, "y"]);
  }
  assert.deepEqual(words("x***y<<=z"), ["x", "**", "*", "y", "<<", "=", "z"]);
});

Deno.test("lexExpression() tells keywords from names and soft keywords", () => {
  const kinds = (text: string): readonly string[] =>
    lexExpression(text).slice(0, -1).map(({ kind }) => kind);
  assert.deepEqual(kinds("not None await yield"), Array(4).fill("symbol"));
  assert.deepEqual(kinds("none match case type _ __x__ ifx"), [
    ...Array(7).fill("name"),
  ]);
});

Deno.test("lexExpression() accepts decimal integers of up to seven digits", () => {
  for (const text of ["0", "00", "0000000", "7", "10", "9999999"]) {
    assert.deepEqual(lexExpression(text)[0], integer(text));
  }
});

Deno.test("lexExpression() refuses the eighth digit of an integer", () => {
  assert.deepEqual(refusal("x+12345678"), {
    ok: false,
    code: "expression_limit",
    message: "An integer of 8 digits; at most 7 are allowed",
    offset: 2,
  });
  assert.equal(refusal("00000000").code, "expression_limit");
});

Deno.test("lexExpression() refuses every other form of number", () => {
  const forms =
    "0x10 0X1F 0o7 0b1 1e5 1E5 1e+5 1_000 1j 1J 1L 01 007 0_0 1if " +
    "1__0 12345678e1 012345678 1.5e3 1.e5 .5e5 1.5j 1.j .5_5 1._5 1.x 1.if";
  for (const form of forms.split(" ")) {
    const { code, offset } = refusal(`x+${form}`);
    assert.deepEqual([code, offset], ["expression_syntax", 2], form);
  }
});

Deno.test("lexExpression() reads floats as tokens of their own", () => {
  for (const text of ["1.5", "1.", ".5", "00.5", "123456789.5"]) {
    assert.deepEqual(lexExpression(text)[0], {
      kind: "float",
      text,
      offset: 0,
    });
  }
  assert.deepEqual(words("1..x"), ["1.", ".", "x"]);
});

Deno.test("lexExpression() lets 16 parentheses be open at once, not 17", () => {
  assert.equal(words(`${"(".repeat(16)}x${")".repeat(16)}`).length, 33);
  assert.equal(words("()".repeat(100)).length, 200);
  assert.equal(words("[".repeat(100)).length, 100);
  assert.deepEqual(refusal(`x+${"(".repeat(17)}`), {
    ok: false,
    code: "expression_limit",
    message: "More than 16 parentheses are open at once",
    offset: 18,
  });
  const afterClosing = `)))${"(".repeat(17)}`;
  assert.equal(refusal(afterClosing).code, "expression_limit");
  assert.equal(refusal(`f'{${"(".repeat(17)}`).code, "expression_limit");
  assert.equal(words(`'${"(".repeat(17)}'`).length, 1);
});

Deno.test("lexExpression() refuses spaces at both ends, not between tokens", () => {
  assert.deepEqual(refusal(" x"), syntax("Leading space", 0));
  assert.deepEqual(refusal("x  "), syntax("Trailing space", 1));
  assert.deepEqual(refusal(" "), syntax("Leading space", 0));
  assert.deepEqual(words("x   +  1"), ["x", "+", "1"]);
});

Deno.test("lexExpression() refuses comments, continuations and other characters", () => {
  assert.deepEqual(refusal("x # y"), syntax("A comment is not allowed", 2));
  assert.deepEqual(
    refusal("x \\"),
    syntax("A line continuation is not allowed", 2),
  );
  assert.deepEqual(refusal("x$"), syntax('"$" is not Python', 1));
  assert.deepEqual(refusal("`x`"), syntax('"`" is not Python', 0));
  assert.deepEqual(
    refusal("x ? 1 : 2"),
    syntax('"?" is not Python; write "a if b else c"', 2),
  );
});

Deno.test("lexExpression() lets the leftmost fault decide", () => {
  assert.equal(refusal("12345678 # 0x1").code, "expression_limit");
  assert.equal(refusal("0x1 12345678").code, "expression_syntax");
  assert.equal(refusal(` ${"(".repeat(17)}`).code, "expression_syntax");
  assert.equal(refusal(`${"(".repeat(17)} `).code, "expression_limit");
});

Deno.test("lexExpression() takes what a string holds as data", () => {
  for (
    const literal of [
      `'# $ 0x10 12345678 (((((((((((((((((('`,
      `"'"`,
      `'\\''`,
      `'''a'b''c'''`,
      `rb"\\""`,
      `Rb''`,
      `u'\\\\'`,
    ]
  ) {
    assert.deepEqual(lexExpression(`x ${literal} y`), [
      { kind: "name", text: "x", offset: 0 },
      { kind: "string", text: literal, offset: 2 },
      { kind: "name", text: "y", offset: literal.length + 3 },
      { kind: "end", text: "", offset: literal.length + 4 },
    ]);
  }
  assert.deepEqual(words("ur'a'"), ["ur", "'a'"]);
});

Deno.test("lexExpression() refuses strings that don't end", () => {
  const texts = [
    `'`,
    `'a"`,
    `'a\\'`,
    `'''a''`,
    `r"\\"`,
    `f'a`,
    `f'{x`,
    `f'{x:`,
  ];
  for (const text of [...texts, `f'{x:y'`, `f'\\`, `f'\\N{`]) {
    assert.deepEqual(
      refusal(`x ${text}`),
      syntax("A string is not terminated", 2),
    );
  }
  assert.deepEqual(refusal("f'{'"), syntax("A string is not terminated", 3));
});

Deno.test("lexExpression() splits formatted strings into text and fields", () => {
  assert.deepEqual(kindsAndTexts(`rf"a{{b{ x[{1:2}] !r:>{w}}}}c}"`), [
    ["formatted_start", 'rf"'],
    ["formatted_text", "a{"],
    ["formatted_text", "b"],
    ["field_open", "{"],
    ["name", "x"],
    ["symbol", "["],
    ["symbol", "{"],
    ["integer", "1"],
    ["symbol", ":"],
    ["integer", "2"],
    ["symbol", "}"],
    ["symbol", "]"],
    ["symbol", "!"],
    ["name", "r"],
    ["field_format", ":"],
    ["formatted_text", ">"],
    ["field_open", "{"],
    ["name", "w"],
    ["field_close", "}"],
    ["field_close", "}"],
    ["formatted_text", "}"],
    ["formatted_text", "c"],
    ["field_close", "}"],
    ["formatted_end", '"'],
    ["end", ""],
  ]);
});

function words(text: string): readonly string[] {
  return lexExpression(text).slice(0, -1).map((token) => token.text);
}

function kindsAndTexts(text: string): readonly (readonly [string, string])[] {
  return lexExpression(text).map((token) => [token.kind, token.text]);
}

function integer(text: string): Token {
  return { kind: "integer", text, offset: 0 };
}

function syntax(message: string, offset: number): Refusal["answer"] {
  return { ok: false, code: "expression_syntax", message, offset };
}

function refusal(text: string): Refusal["answer"] {
  try {
    lexExpression(text);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.answer;
    throw thrown;
  }
  throw new assert.AssertionError({ message: `Not refused: ${text}` });
}
