import assert from "node:assert/strict";
import { columns, cut, padded, wrapped } from "./text_layout.ts";

Deno.test("columns() counts wide characters twice and marks not at all", () => {
  assert.deepEqual(
    ["", "abc", "汉字", "e\u0301", "👋", "→"].map(columns),
    [0, 3, 4, 1, 2, 1],
  );
});

Deno.test("cut() keeps what fits, to the column", () => {
  assert.deepEqual(
    [cut("abcd", 4), cut("abcde", 4), cut("汉字", 4), cut("汉字汉", 4)],
    ["abcd", "abc…", "汉字", "汉…"],
  );
});

Deno.test("padded() fills at either side, and never cuts", () => {
  assert.deepEqual(
    [
      padded("ab", 4),
      padded("ab", 4, "left"),
      padded("汉", 3),
      padded("abc", 2),
    ],
    ["ab  ", "  ab", "汉 ", "abc"],
  );
});

Deno.test("wrapped() breaks at spaces, and inside a word that is too long", () => {
  assert.deepEqual(wrapped("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrapped("one two three", 8), ["one two", "three"]);
  assert.deepEqual(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
  assert.deepEqual(wrapped("汉字汉字", 5), ["汉字", "汉字"]);
  assert.deepEqual(wrapped("a\n\nb", 5), ["a", "", "b"]);
  assert.deepEqual(wrapped("", 5), [""]);
});
