import assert from "node:assert/strict";
import { HandTurnedClock } from "./clock.ts";

Deno.test("HandTurnedClock goes on when it is turned, and only then", () => {
  const clock = new HandTurnedClock();
  assert.deepEqual([clock.now(), clock.now()], [0, 0]);
  assert.equal(clock.wallTime(), "1970-01-01T00:00:00.000Z");
  clock.advance(1);
  clock.advance(60_000);
  assert.equal(clock.now(), 60_001);
  assert.equal(clock.wallTime(), "1970-01-01T00:01:00.001Z");
});
