import assert from "node:assert/strict";
import { type Case, evaluateCases } from "./evaluate_cases.ts";
import { generateSource, readSource } from "./source_wrapper.ts";

const BROKEN = { clamp: "x", total: "unit + qty + fee" };

Deno.test("evaluateCases() returns each case with its actual value or error", () => {
  const cases: readonly Case[] = [
    { function: "clamp", inputs: [-2, 0, 5], expected: 0 },
    { function: "total", inputs: [3, 4, 2], expected: 14 },
    { function: "total", inputs: [1, 2, 3], expected: 6 },
    { function: "total", inputs: [1_000_000, 1, 0], expected: 1 },
    { function: "clamp", inputs: [1, 0, 1_000_001], expected: 1 },
  ];
  assert.deepEqual(evaluateCases(expressions(BROKEN), cases), [
    { function: "clamp", inputs: [-2, 0, 5], expected: 0, actual: -2 },
    { function: "total", inputs: [3, 4, 2], expected: 14, actual: 9 },
    { function: "total", inputs: [1, 2, 3], expected: 6, actual: 6 },
    {
      function: "total",
      inputs: [1_000_000, 1, 0],
      expected: 1,
      error: "magnitude_limit",
    },
    {
      function: "clamp",
      inputs: [1, 0, 1_000_001],
      expected: 1,
      error: "magnitude_limit",
    },
  ]);
});

Deno.test("evaluateCases() passes the lab's public cases with its repair", () => {
  const repaired = expressions({
    clamp: "lo if x < lo else hi if x > hi else x",
    total: "unit * qty + fee",
  });
  const cases: readonly Case[] = [
    { function: "clamp", inputs: [-2, 0, 5], expected: 0 },
    { function: "clamp", inputs: [8, 0, 5], expected: 5 },
    { function: "total", inputs: [3, 4, 2], expected: 14 },
    { function: "total", inputs: [7, 0, 2], expected: 2 },
  ];
  assert.deepEqual(
    evaluateCases(repaired, cases),
    cases.map((fixture) => ({ ...fixture, actual: fixture.expected })),
  );
});

Deno.test("evaluateCases() takes 16 cases, not 17", () => {
  const fixture: Case = { function: "clamp", inputs: [1, 2, 3], expected: 2 };
  const many = (count: number): readonly Case[] => Array(count).fill(fixture);
  assert.deepEqual(evaluateCases(expressions(BROKEN), []), []);
  assert.equal(evaluateCases(expressions(BROKEN), many(16)).length, 16);
  assert.throws(() => evaluateCases(expressions(BROKEN), many(17)), {
    name: "RangeError",
    message: "Cannot evaluate 17 cases: at most 16 are allowed",
  });
});

Deno.test("evaluateCases() throws for inputs that match no parameters", () => {
  const evaluate = (inputs: readonly number[]): unknown =>
    evaluateCases(expressions(BROKEN), [
      { function: "clamp", inputs, expected: 0 },
    ]);
  assert.throws(() => evaluate([1, 2]), RangeError);
  assert.throws(() => evaluate([1, 2, 3.5]), TypeError);
});

function expressions(
  texts: typeof BROKEN,
): Parameters<typeof evaluateCases>[0] {
  const reading = readSource(new TextEncoder().encode(generateSource(texts)));
  assert.ok(reading.ok);
  return reading.expressions;
}
