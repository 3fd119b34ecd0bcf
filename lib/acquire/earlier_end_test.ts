import assert from "node:assert/strict";
import { earlierEnd } from "./earlier_end.ts";

Deno.test("earlierEnd() says what ended and why", () => {
  assert.equal(
    earlierEnd({
      code: "window_over",
      what: 'Cannot acquire into "qwen"',
      why: "its 30 minutes are over",
    }),
    'ended for good: Cannot acquire into "qwen": its 30 minutes are over',
  );
});

Deno.test("earlierEnd() writes nothing to the terminal but the text", () => {
  const end = { code: "x", what: "\u001b[2J", why: "a\nb\u202e" };
  assert.equal(
    earlierEnd(end),
    "ended for good: \\u{1b}[2J: a\\u{a}b\\u{202e}",
  );
  const fits = { ...end, what: "", why: "w".repeat(598) };
  assert.equal(earlierEnd(fits), `ended for good: : ${"w".repeat(598)}`);
  const over = { ...end, what: "", why: "w".repeat(599) };
  assert.equal(earlierEnd(over), `ended for good: : ${"w".repeat(597)}…`);
});
