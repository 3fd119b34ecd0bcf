import assert from "node:assert/strict";
import { firstIssue } from "./first_issue.ts";
import { z } from "./zod.ts";

const schema = z.strictObject({
  list: z.array(z.strictObject({ count: z.int() })),
});

function issueOf(value: unknown) {
  const { error } = schema.safeParse(value);
  assert.ok(error !== undefined);
  return firstIssue(error);
}

Deno.test("firstIssue() names the place and says what is wrong there", () => {
  const count = "Invalid input: expected number, received string";
  assert.deepEqual(
    issueOf({ list: [{ count: 1 }, { count: "2" }] }),
    { place: "list.1.count", why: count },
  );
  const whole = "Invalid input: expected object, received array";
  assert.deepEqual(issueOf([]), { place: "", why: whole });
});

Deno.test("firstIssue() shows an unknown key on one line, spelled out and cut", () => {
  assert.deepEqual(
    issueOf({ list: [], "\u001b[31mx\n\u202e": 1 }),
    { place: "", why: 'Unrecognized key: "\\u{1b}[31mx\\u{a}\\u{202e}"' },
  );
  const { why } = issueOf({ list: [], ["k".repeat(200)]: 1 });
  assert.equal(why, `Unrecognized key: "${"k".repeat(140)}…`);
  assert.equal(why.length, 160);
  const fits = "k".repeat(160 - 'Unrecognized key: ""'.length);
  assert.equal(
    issueOf({ list: [], [fits]: 1 }).why,
    `Unrecognized key: "${fits}"`,
  );
});
