import assert from "node:assert/strict";
import { HandClock } from "../../tests/hand_clock.ts";
import type { MonotonicMs } from "../agent/gate.ts";
import { CALL_MS, DeadlineGate, RUN_MS } from "./deadline_gate.ts";
import { StopWordCell } from "./stop_word_cell.ts";

/** A gate whose run ends at 1,000 ms, and whose calls take 100 ms at most. */
function gateAt(ms: number) {
  const clock = new HandClock();
  clock.ms = ms;
  const cell = new StopWordCell();
  const gate = new DeadlineGate(cell, clock, {
    runDeadline: 1_000 as MonotonicMs,
    callMs: 100,
  });
  return { clock, cell, gate };
}

Deno.test("RUN_MS is the lab's ten minutes, CALL_MS its two", () => {
  assert.deepEqual([RUN_MS, CALL_MS], [600_000, 120_000]);
});

Deno.test("DeadlineGate.deadline is the earlier of the call's and the run's", () => {
  const { clock, gate } = gateAt(0);
  assert.equal(gate.deadline, 1_000, "outside a call");
  gate.beginCall();
  assert.equal(gate.deadline, 100);
  clock.ms = 899;
  gate.beginCall();
  assert.equal(gate.deadline, 999);
  clock.ms = 901;
  gate.beginCall();
  assert.equal(gate.deadline, 1_000);
  gate.endCall();
  assert.equal(gate.deadline, 1_000);
});

Deno.test("DeadlineGate.stop() says nothing before a deadline, and its word at it", () => {
  const { clock, cell, gate } = gateAt(10);
  gate.beginCall();
  clock.ms = 109.999;
  assert.equal(gate.stop(), null);
  assert.equal(cell.get(), null);
  clock.ms = 110;
  assert.equal(gate.stop(), "call_expired");
  assert.equal(cell.get(), "call_expired");
});

Deno.test("DeadlineGate.stop() counts a call's deadline during the call only", () => {
  const { clock, gate } = gateAt(0);
  gate.beginCall();
  gate.endCall();
  clock.ms = 999.999;
  assert.equal(gate.stop(), null);
  clock.ms = 1_000;
  assert.equal(gate.stop(), "run_expired");
});

Deno.test("DeadlineGate.stop() calls it the run's where both deadlines have passed", () => {
  const { clock, gate } = gateAt(850);
  gate.beginCall();
  clock.ms = 1_000;
  assert.equal(gate.stop(), "run_expired");
  const same = gateAt(900);
  same.gate.beginCall();
  same.clock.ms = 1_000;
  assert.equal(same.gate.stop(), "run_expired");
});

Deno.test("DeadlineGate.stop() keeps to the first word", () => {
  const cancelled = gateAt(2_000);
  cancelled.cell.set("cancelled");
  assert.equal(cancelled.gate.stop(), "cancelled");

  const { clock, cell, gate } = gateAt(0);
  gate.beginCall();
  clock.ms = 100;
  assert.equal(gate.stop(), "call_expired");
  clock.ms = 1_000;
  assert.equal(cell.set("cancelled"), "call_expired");
  assert.equal(gate.stop(), "call_expired");
});

Deno.test("DeadlineGate.runExpired() goes by the clock, whatever the word", () => {
  const { clock, cell, gate } = gateAt(999.999);
  assert.equal(gate.runExpired(), false);
  cell.set("call_expired");
  assert.equal(gate.runExpired(), false);
  clock.ms = 1_000;
  assert.equal(gate.runExpired(), true);
  assert.equal(cell.get(), "call_expired", "It writes no word");
});

Deno.test("DeadlineGate.runExpired() believes the supervisor's word before its own clock", () => {
  const { cell, gate } = gateAt(0);
  cell.set("run_expired");
  assert.equal(gate.runExpired(), true);
});
