import assert from "node:assert/strict";
import { findMismatch } from "./mismatch.ts";

Deno.test("findMismatch() lets an object have more keys than expected, at any depth", () => {
  const actual = { a: 1, b: [{ c: null, d: "x" }], e: {} };
  for (
    const expected of [
      {},
      { a: 1 },
      { b: [{}] },
      { b: [{ c: null }], e: {} },
      actual,
    ]
  ) assert.equal(findMismatch(expected, actual, "it"), null);
});

Deno.test("findMismatch() says where a value is another one", () => {
  for (
    const [expected, actual, says] of [
      [1, 2, "it is 2, not 1"],
      [1, "1", 'it is "1", not 1'],
      [null, undefined, "it is absent, not null"],
      [{ a: 1 }, { b: 1 }, "it.a is absent, not 1"],
      [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, "it.a.b[1] is 3, not 2"],
      [[], [1], "it has 1 items, not 0"],
      [[1], [], "it has 0 items, not 1"],
      [[], {}, "it is {}, not []"],
      [{}, [], "it is [], not {}"],
      [{}, null, "it is null, not {}"],
    ] as const
  ) assert.equal(findMismatch(expected, actual, "it"), says);
});
