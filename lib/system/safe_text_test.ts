import assert from "node:assert/strict";
import fc from "fast-check";
import { quoteSafely, showJsonSafely, showSafely } from "./safe_text.ts";

Deno.test("showSafely() spells out what a terminal would obey", () => {
  const shown: [text: string, safe: string][] = [
    ["\x1b[31mred\x1b[0m", "\\u{1b}[31mred\\u{1b}[0m"],
    [
      "\x1b]8;;http://x.test\x07link\x1b]8;;\x1b\\",
      "\\u{1b}]8;;http://x.test\\u{7}link\\u{1b}]8;;\\u{1b}\\",
    ],
    ["\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"],
    ["\x9b2J", "\\u{9b}2J"],
    ["over\rwritten\b\b", "over\\u{d}written\\u{8}\\u{8}"],
    ["\0\x7f", "\\u{0}\\u{7f}"],
  ];
  assert.deepEqual(shown.map(([text]) => [text, showSafely(text)]), shown);
});

Deno.test("showSafely() spells out what reverses, joins or hides", () => {
  const shown: [text: string, safe: string][] = [
    ["a\u202eb\u202c", "a\\u{202e}b\\u{202c}"],
    ["\u2066x\u2069\u200f\u061c", "\\u{2066}x\\u{2069}\\u{200f}\\u{61c}"],
    [
      "pass\u200bword\u2060\ufeff\u00ad",
      "pass\\u{200b}word\\u{2060}\\u{feff}\\u{ad}",
    ],
    ["\u200d\u200c\u034f\u180e", "\\u{200d}\\u{200c}\\u{34f}\\u{180e}"],
    ["\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"],
    ["a\ufe0fb\u{e0100}", "a\\u{fe0f}b\\u{e0100}"],
    ["\u3164\u115f\uffa0\u2800", "\\u{3164}\\u{115f}\\u{ffa0}\\u{2800}"],
    ["a\u00a0b\u2003\u3000\u202f", "a\\u{a0}b\\u{2003}\\u{3000}\\u{202f}"],
    ["\u2028\u2029\u0085", "\\u{2028}\\u{2029}\\u{85}"],
    ["\ue000\u{10ffff}\u0378\uffff", "\\u{e000}\\u{10ffff}\\u{378}\\u{ffff}"],
    ["\ud800a\udfff", "\\u{d800}a\\u{dfff}"],
  ];
  assert.deepEqual(shown.map(([text]) => [text, showSafely(text)]), shown);
});

Deno.test("showSafely() leaves readable text as it is", () => {
  const text = 'def f(x): "é ß 中文 العربية 😀 e\u0301 ±" \\n {a: [1]} `~`';
  assert.equal(showSafely(text), text);
});

Deno.test("showSafely() keeps line feeds and tabs only where asked to", () => {
  const text = "a\n\tb\r\n\v";
  assert.equal(showSafely(text), "a\\u{a}\\u{9}b\\u{d}\\u{a}\\u{b}");
  assert.equal(showSafely(text, { newlines: true }), "a\n\tb\\u{d}\n\\u{b}");
});

Deno.test("quoteSafely() is one line in quotes, quotes and backslashes escaped", () => {
  assert.equal(
    quoteSafely('a"b\\u{202e}\u202e\n', 64),
    '"a\\"b\\\\u{202e}\\u{202e}\\u{a}"',
  );
  assert.equal(quoteSafely("", 5), '""');
});

Deno.test("quoteSafely() cuts between characters, at most so many bytes", () => {
  assert.equal(quoteSafely("abcdefgh", 10), '"abcdefgh"');
  assert.equal(quoteSafely("abcdefghi", 10), '"abcde…"');
  assert.equal(quoteSafely("ab\u202ecd", 10), '"ab…"');
  assert.equal(quoteSafely("😀😀😀", 10), '"😀…"');
  assert.equal(quoteSafely("\u202e", 5), '"…"');
});

Deno.test("quoteSafely() never passes its bytes or shows a hidden character", () => {
  fc.assert(fc.property(
    fc.string({ unit: "binary" }),
    fc.integer({ min: 5, max: 80 }),
    (text, maxBytes) => {
      const shown = quoteSafely(text, maxBytes);
      assert(new TextEncoder().encode(shown).length <= maxBytes);
      assert.doesNotMatch(shown, /[\p{C}\p{Zl}\p{Zp}]/u);
      assert.match(shown, /^".*"$/u);
    },
  ));
});

Deno.test("showJsonSafely() writes the same value without a character that acts", () => {
  const value = {
    "\x9b2J": ["\x1b[2J", "a\u202eb\u200b", "\u{e0041}", "\ud800"],
    plain: 'ä \n "q" \\ 日本',
  };
  const text = showJsonSafely(JSON.stringify(value, null, 2));
  assert.deepEqual(JSON.parse(text), value);
  assert.equal(
    text.split("\n").map((line) => showSafely(line)).join("\n"),
    text,
  );
  assert.match(text, /"a\\u202eb\\u200b",\n +"\\udb40\\udc41"/);
  assert.match(text, /日本/);
});
