import assert from "node:assert/strict";
import { jsonWords } from "./json_words.ts";

Deno.test("jsonWords() takes a text as it is, and all else as JSON", () => {
  assert.deepEqual(
    ["a b", 1, null, true, undefined, { toString: 1 }, [{ valueOf: 2 }]]
      .map(jsonWords),
    [
      "a b",
      "1",
      "null",
      "true",
      "nothing",
      '{"toString":1}',
      '[{"valueOf":2}]',
    ],
  );
});
