import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json, JsonObject } from "../../agent/json.ts";
import { ACTION_SCHEMA } from "./action_schema.ts";
import { contractSchema } from "./contract_schema.ts";
import { CONTRACT } from "./contract_table.ts";

/** JSON Schema's own rules for the keywords that the contract's schema uses. */
const KEYWORDS: Record<
  string,
  (argument: Json, value: Json, schema: JsonObject) => boolean
> = {
  $schema: () => true,
  title: () => true,
  description: () => true,
  const: (wanted, value) => value === wanted,
  enum: (values, value) => (values as Json[]).includes(value),
  type: (type, value) =>
    type === "integer"
      ? Number.isInteger(value)
      : type === "object"
      ? isObject(value)
      : String(typeof value) === type,
  minLength: (least, value) =>
    typeof value !== "string" || [...value].length >= Number(least),
  maxLength: (most, value) =>
    typeof value !== "string" || [...value].length <= Number(most),
  minimum: (least, value) =>
    typeof value !== "number" || value >= Number(least),
  maximum: (most, value) => typeof value !== "number" || value <= Number(most),
  pattern: (pattern, value) =>
    typeof value !== "string" || new RegExp(String(pattern), "u").test(value),
  not: (schema, value) => !valid(schema as JsonObject, value),
  oneOf: (schemas, value) =>
    (schemas as JsonObject[]).filter((one) => valid(one, value)).length === 1,
  required: (keys, value) =>
    !isObject(value) ||
    (keys as string[]).every((key) => Object.hasOwn(value, key)),
  properties: (properties, value) =>
    !isObject(value) ||
    Object.entries(properties as JsonObject).every(([key, schema]) =>
      !Object.hasOwn(value, key) || valid(schema as JsonObject, value[key]!)
    ),
  additionalProperties: (allowed, value, { properties }) =>
    allowed !== false || !isObject(value) ||
    Object.keys(value).every((key) =>
      Object.hasOwn(properties as JsonObject, key)
    ),
};

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valid(schema: JsonObject, value: Json): boolean {
  return Object.entries(schema).every(([keyword, argument]) => {
    const rule = KEYWORDS[keyword];
    assert(rule, `no rule for the keyword ${keyword}`);
    return rule(argument, value, schema);
  });
}

Deno.test("contractSchema() is JSON Schema 2020-12 with a closed branch an action", () => {
  const schema = contractSchema();
  assert.equal(
    schema["$schema"],
    "https://json-schema.org/draft/2020-12/schema",
  );
  assert.deepEqual((schema["oneOf"] as JsonObject[])[3], {
    type: "object",
    properties: {
      action: { const: "finish" },
      version: {
        description: "A workspace version, written as one digit.",
        type: "integer",
        minimum: 0,
        maximum: 6,
      },
    },
    required: ["action", "version"],
    additionalProperties: false,
  });
  assert.equal((schema["oneOf"] as Json[]).length, CONTRACT.length);
});

Deno.test("contractSchema() and the strict union always agree", () => {
  const text = fc.constantFrom(
    ...["clamp", "total", "TASK.txt", "toy_math.py", "x", "", "é", "x\n", " ~"],
    ...["a".repeat(256), "b".repeat(257), "😀".repeat(200)],
  );
  const version = fc.oneof(
    fc.integer({ min: -2, max: 9 }),
    fc.constantFrom(0.5, 1e30, true, null, "1"),
  );
  const keysOf = ["file", "function", "old", "new", "version"];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.tuple(
      fc.constantFrom(...CONTRACT.map(({ action }) => action), "x", 1),
      fc.dictionary(
        fc.constantFrom(...keysOf, "extra"),
        fc.oneof(text, version),
      ),
    ).map(([action, fields]) => ({ action, ...fields })),
    // A whole branch with one value after the other, so that many are valid.
    fc.tuple(fc.constantFrom(...CONTRACT), text, text, text, version).map(
      ([{ action, fields }, a, b, c, n]) => {
        const texts = [a, b, c];
        return {
          action,
          ...Object.fromEntries(
            fields.map(({ name, kind }, index) => [
              name,
              kind === "version" ? n : texts[index]!,
            ]),
          ),
        };
      },
    ),
  );
  const schema = contractSchema();
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(value, (value) => {
      const json = value as Json;
      const expected = ACTION_SCHEMA.safeParse(json).success;
      seen[expected ? "valid" : "invalid"]++;
      assert.equal(valid(schema, json), expected, JSON.stringify(json));
    }),
    { numRuns: 4_000, seed: 16 },
  );
  assert(seen.valid > 100 && seen.invalid > 100, JSON.stringify(seen));
});
