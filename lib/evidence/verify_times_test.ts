import assert from "node:assert/strict";
import type { JsonObject } from "../agent/json.ts";
import type { AuditRecord } from "./audit_record.ts";
import {
  deadlineContradiction,
  isWallTime,
  timeContradiction,
} from "./verify_times.ts";

const record = (
  event: string,
  monotonic_ms: number,
  content: JsonObject = {},
): AuditRecord => ({
  run_id: "",
  event_id: 1,
  event,
  kind: "fact",
  at: null,
  proposal_number: null,
  monotonic_ms,
  wall_time: "2026-01-01T00:00:00.000Z",
  source: "stdio",
  prev: "" as AuditRecord["prev"],
  content,
});

const before = record("loop_stopped", 10);

/** The field that can't be, or undefined. */
const field = (one: AuditRecord, last: AuditRecord | null = before) =>
  timeContradiction(one, last, "stdio")?.field;

Deno.test("timeContradiction() lets a clock stand still, and not go back", () => {
  assert.equal(field(record("tokens_counted", 10)), undefined);
  assert.equal(field(record("tokens_counted", 9.999)), "monotonic_ms");
  assert.equal(field(record("tokens_counted", 0), null), undefined);
});

Deno.test("timeContradiction() holds a record to the manifest's source", () => {
  const other = { ...record("tokens_counted", 10), source: "model" };
  assert.equal(field(other), "source");
});

Deno.test("timeContradiction() takes a total between its record and the one before", () => {
  const total = (ms: number, more: JsonObject = {}) =>
    field(record("times_measured", 20, { elapsed_ms: { ...more, total: ms } }));
  assert.equal(total(10), undefined);
  assert.equal(total(20), undefined);
  assert.equal(total(9.999), "content.elapsed_ms.total");
  assert.equal(total(20.001), "content.elapsed_ms.total");
  assert.equal(total(15, { edit: 15 }), undefined);
  assert.equal(total(15, { edit: 15.001 }), "content.elapsed_ms.edit");
  assert.equal(total(15, { sleep: 1 }), "content.elapsed_ms.sleep");
  assert.equal(total(15, { edit: 7, test: 8 }), undefined);
  // Each of the kinds is rounded to the microsecond.
  assert.equal(total(15, { edit: 7, test: 8.008 }), undefined);
  assert.equal(total(15, { edit: 7, test: 8.009 }), "content.elapsed_ms");
});

Deno.test("timeContradiction() wants the times right before the end", () => {
  const times = record("times_measured", 10);
  assert.equal(field(record("run_ended", 10), times), undefined);
  assert.equal(field(record("run_ended", 10)), "event");
});

Deno.test("isWallTime() takes the one spelling that the program writes", () => {
  assert.ok(isWallTime("2026-01-01T00:00:00.000Z"));
  for (
    const text of [
      "2026-01-01T00:00:00Z",
      "2026-01-01T00:00:00.000+00:00",
      "2026-02-30T00:00:00.000Z",
      "",
    ]
  ) assert.equal(isWallTime(text), false, text);
});

const limits = { run_ms: 600_000 };

/** Whether nothing speaks against one record after another, the run begun at 50. */
function follows(
  last: string,
  lastMs: number,
  next: AuditRecord,
  source = "stdio",
): boolean {
  return deadlineContradiction(
    next,
    record("request_assembled", 50),
    record(last, lastMs),
    { limits, proposal_source: source },
  ) === undefined;
}

Deno.test("deadlineContradiction() lets nothing begin once the deadline has passed", () => {
  const late = 1e15;
  for (
    const [last, next] of [
      ["model_loaded", "request_assembled"],
      ["observation_made", "request_assembled"],
      ["observation_made", "tokens_counted"],
      ["proposal_received", "proposal_admitted"],
      ["proposal_received", "observation_made"],
      ["proposal_admitted", "edit_intent"],
    ] as const
  ) {
    assert.equal(follows(last, 600_050.001, record(next, late)), true, last);
    assert.equal(follows(last, 600_050.002, record(next, late)), false, last);
    // A replay asks no clock.
    assert.ok(follows(last, late, record(next, late), "recorded"), last);
    for (const end of ["stop_requested", "loop_stopped", "harness_fault"]) {
      assert.ok(follows(last, late, record(end, late)), `${last}, ${end}`);
    }
  }
});

Deno.test("deadlineContradiction() lets no final evaluation be performed after it", () => {
  const evaluation = (status: string) =>
    record("final_evaluation", 1e15, { status });
  assert.ok(follows("loop_stopped", 600_050, evaluation("performed")));
  assert.ok(!follows("loop_stopped", 600_051, evaluation("performed")));
  assert.ok(follows("loop_stopped", 600_051, evaluation("unsafe")));
});

Deno.test("deadlineContradiction() lets work that was begun end as late as it likes", () => {
  assert.ok(
    follows("request_assembled", 1e15, record("proposal_received", 1e15)),
  );
  assert.ok(follows("edit_committed", 1e15, record("observation_made", 1e15)));
  assert.ok(follows("times_measured", 1e15, record("run_ended", 1e15)));
});
