import assert from "node:assert/strict";
import { threadClock } from "./clock.ts";

Deno.test("threadClock() counts from the origin that it is given", () => {
  const before = performance.now();
  const now = threadClock(10_000).now();
  const after = performance.now();
  assert.ok(before + 10_000 <= now && now <= after + 10_000);
});

Deno.test("threadClock() never goes back", () => {
  const clock = threadClock();
  let last = clock.now();
  for (let reading = 0; reading < 1_000; reading++) {
    const now = clock.now();
    assert.ok(now >= last);
    last = now;
  }
});

Deno.test("threadClock() tells wall time in UTC with milliseconds", () => {
  const text = threadClock().wallTime();
  assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(new Date(text).toISOString(), text);
});
