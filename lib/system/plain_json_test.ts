import assert from "node:assert/strict";
import fc from "fast-check";
import { parsePlatformJson } from "../../tests/platform_json.ts";
import { exactNumber, toPlainJson } from "./plain_json.ts";
import { JsonNumber, type JsonTree, scanJson } from "./strict_json.ts";

function scanned(text: string): JsonTree {
  const scan = scanJson(new TextEncoder().encode(text), { maxDepth: 64 });
  assert(scan.ok, text);
  return scan.value;
}

Deno.test("toPlainJson() builds objects without a prototype", () => {
  const plain = toPlainJson(
    scanned('{"__proto__":{"a":[1,{"b":null}]},"c":"d"}'),
  );
  assert(plain.ok);
  const expected = Object.assign(Object.create(null), { c: "d" });
  Object.defineProperty(expected, "__proto__", {
    value: Object.assign(Object.create(null), {
      a: [1, Object.assign(Object.create(null), { b: null })],
    }),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  assert.deepEqual(plain.value, expected);
  assert.equal(Reflect.get({}, "a"), undefined);
});

Deno.test("toPlainJson() gives back what JSON.stringify wrote", () => {
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) =>
      !Number.isInteger(value)
    ),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.constantFrom(null, true, false), number, fc.string()),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(fc.property(value, (value) => {
    const text = JSON.stringify(value);
    const plain = toPlainJson(scanned(text));
    assert(plain.ok);
    const expected = JSON.stringify(parsePlatformJson(text));
    assert.equal(JSON.stringify(plain.value), expected);
  }));
});

Deno.test("toPlainJson() refuses a number that changes value, at any depth", () => {
  assert.deepEqual(toPlainJson(scanned('{"a":[[9007199254740992]]}')), {
    ok: false,
    error: "number_changes_value",
    message: "The number 9007199254740992 cannot be kept exactly",
  });
  assert.deepEqual(toPlainJson(scanned("1".repeat(500))), {
    ok: false,
    error: "number_changes_value",
    message: `The number ${"1".repeat(40)}… cannot be kept exactly`,
  });
});

Deno.test("exactNumber() keeps integers up to 2^53 - 1 and finite doubles", () => {
  const kept: [string, number | undefined][] = [
    ["0", 0],
    ["-1", -1],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", Number.MIN_SAFE_INTEGER],
    ["9007199254740992", undefined],
    ["-9007199254740992", undefined],
    ["123456789012345678901234567890", undefined],
    ["1.0", 1],
    ["1e0", 1],
    ["0.1", 0.1],
    ["1e20", 1e20],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["1.8e308", undefined],
    ["1e999", undefined],
    ["-1e999", undefined],
    ["5e-324", Number.MIN_VALUE],
    ["1e-999", undefined],
    ["0.0001e-999", undefined],
    ["0.0e-999", 0],
    ["-0", undefined],
    ["-0.0", undefined],
    ["-1e-999", undefined],
  ];
  assert.deepEqual(
    kept.map(([lexeme]) => [lexeme, exactNumber(new JsonNumber(lexeme))]),
    kept,
  );
});
