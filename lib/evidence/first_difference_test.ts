import assert from "node:assert/strict";
import { firstDifference, showValue } from "./first_difference.ts";

Deno.test("firstDifference() is null for equal values, whatever their keys' order", () => {
  const a = { x: [1, { y: null }], z: "t" };
  const b = { z: "t", x: [1, { y: null }] };
  assert.equal(firstDifference(a, b), null);
});

Deno.test("firstDifference() names the path and both values", () => {
  const cases = [
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, "a.b.1", "2", "3"],
    [{ a: 1 }, {}, "a", "1", "nothing"],
    [{}, { a: null }, "a", "nothing", "null"],
    [[1], { 0: 1 }, "", "[1]", '{"0":1}'],
    [1, "1", "", "1", '"1"'],
    [[1], [1, 2], "1", "nothing", "2"],
    [undefined, 0, "", "nothing", "0"],
  ] as const;
  for (const [expected, found, path, one, other] of cases) {
    assert.deepEqual(firstDifference(expected, found), {
      path,
      expected: one,
      found: other,
    });
  }
});

Deno.test("firstDifference() shows long texts from where they part", () => {
  const same = "s".repeat(500);
  assert.deepEqual(firstDifference(`${same}a`, `${same}b`), {
    path: "",
    expected: `"${"s".repeat(20)}a" from character 480`,
    found: `"${"s".repeat(20)}b" from character 480`,
  });
});

Deno.test("showValue() can be printed, whatever the value holds", () => {
  assert.equal(showValue("\x1b[31m\u202e"), String.raw`"\u{1b}[31m\u{202e}"`);
  assert.equal(
    showValue({ a: "\u202e" }),
    String.raw`{"a":"\u{202e}"}`,
  );
  assert.ok(showValue("x".repeat(9_999)).length <= 240);
});
