import assert from "node:assert/strict";
import { issueDifference } from "./issue_difference.ts";
import { z } from "./zod.ts";

const schema = z.strictObject({
  version: z.literal(1).default(1),
  kind: z.enum(["fact", "derived"]).optional(),
  id: z.uuid().optional(),
  digest: z.string().regex(/^[0-9a-f]{4}$/).optional(),
  label: z.string().min(1).max(3).optional(),
  count: z.int().positive().optional(),
  ms: z.number().max(9).optional(),
  list: z.array(z.strictObject({ name: z.string() })).max(1).optional(),
  odd: z.number().refine((one) => one % 2 === 1, "it isn't odd").optional(),
});

function differenceOf(value: unknown) {
  const { error } = schema.safeParse(value);
  assert.ok(error !== undefined, JSON.stringify(value));
  const { place, expected, found } = issueDifference(error, value);
  return [place, expected, found];
}

Deno.test("issueDifference() says what was expected, and shows what was found", () => {
  const cases: [unknown, [string, string, string]][] = [
    [{ version: 2 }, ["version", "1", "2"]],
    [{ version: "1" }, ["version", "1", '"1"']],
    [{ kind: "x" }, ["kind", '"fact" or "derived"', '"x"']],
    [{ id: "x" }, ["id", "a UUID", '"x"']],
    [{ digest: "" }, ["digest", "text like /^[0-9a-f]{4}$/", '""']],
    [{ label: "" }, ["label", "at least 1 character", '""']],
    [{ label: "long" }, ["label", "at most 3 characters", '"long"']],
    [{ count: 0 }, ["count", "more than 0", "0"]],
    [{ count: 1.5 }, ["count", "a whole number", "1.5"]],
    [{ ms: 10 }, ["ms", "at most 9", "10"]],
    [{ ms: true }, ["ms", "a number", "true"]],
    [{ list: {} }, ["list", "a list", "an object"]],
    [{ list: [{}] }, ["list.0.name", "text", "nothing"]],
    [{ list: [{ name: null }] }, ["list.0.name", "text", "null"]],
    [
      { list: [{ name: "a" }, { name: "b" }] },
      ["list", "at most 1 element", "a list"],
    ],
    [{ odd: 2 }, ["odd", "it isn't odd", "2"]],
    [[], ["", "an object", "a list"]],
    [undefined, ["", "an object", "nothing"]],
  ];
  for (const [value, said] of cases) {
    assert.deepEqual(differenceOf(value), said, JSON.stringify(value));
  }
});

Deno.test("issueDifference() names a field too many, and what it holds", () => {
  assert.deepEqual(
    differenceOf({ "\u001b[31mx\n": 1 }),
    ["\\u{1b}[31mx\\u{a}", "nothing", "1"],
  );
  assert.deepEqual(
    differenceOf({ list: [{ name: "a", more: [] }] }),
    ["list.0.more", "nothing", "a list"],
  );
});

Deno.test("issueDifference() shows a value on one line, spelled out and cut", () => {
  assert.deepEqual(
    differenceOf({ label: "\u001b[31m\n\u202e" }),
    ["label", "at most 3 characters", '"\\u{1b}[31m\\u{a}\\u{202e}"'],
  );
  const [place, , found] = differenceOf({
    ["k".repeat(9_000)]: "v".repeat(9_000),
  });
  assert.deepEqual(
    [place, found],
    [`${"k".repeat(155)}…`, `"${"v".repeat(155)}…"`],
  );
});
