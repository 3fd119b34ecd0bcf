import assert from "node:assert/strict";
import { HandClock } from "../../tests/hand_clock.ts";
import { RUN_ID, SEALED } from "../../tests/small_audit.ts";
import type { FileHandle } from "../system/files.ts";
import type { AuditRecord } from "./audit_record.ts";
import { AuditFault, AuditWriter } from "./audit_writer.ts";
import { LiveRecorder } from "./live_recorder.ts";

/** A recorder with a hand-turned clock, and what it wrote and flushed. */
function record(write: (bytes: Uint8Array) => number = ({ length }) => length) {
  const records: AuditRecord[] = [];
  const clock = new HandClock();
  let flushes = 0;
  const file: FileHandle = {
    facts: () => {
      throw new Error("not asked");
    },
    read: () => new Uint8Array(),
    write,
    sync: () => flushes++,
    close: () => {},
  };
  const recorder = new LiveRecorder({
    writer: new AuditWriter(file, SEALED, null),
    clock,
    runId: RUN_ID,
    source: "scripted",
    durable: ["sealed"],
    notify: (record) => records.push(record),
  });
  return { recorder, records, clock, flushes: () => flushes };
}

Deno.test("LiveRecorder writes down what was learnt, with its place and time", () => {
  const { recorder, records, clock } = record();
  clock.ms = 12.34567;
  assert.deepEqual(recorder.fact("seen", "door", () => ({ n: 1 })), { n: 1 });
  recorder.proposalNumber = 3;
  assert.equal(recorder.derived("made", { n: 2 }), 2);
  const { prev: _p, ...first } = records[0] as AuditRecord;
  assert.deepEqual(first, {
    run_id: RUN_ID,
    event_id: 1,
    event: "seen",
    kind: "fact",
    at: "door",
    proposal_number: null,
    monotonic_ms: 12.346,
    wall_time: clock.wallTime(),
    source: "scripted",
    content: { n: 1 },
  });
  const { event, kind, at, proposal_number } = records[1] as AuditRecord;
  assert.deepEqual({ event, kind, at, proposal_number }, {
    event: "made",
    kind: "derived",
    at: null,
    proposal_number: 3,
  });
});

Deno.test("LiveRecorder leaves no record where there was nothing to learn", async () => {
  const { recorder, records } = record();
  assert.equal(recorder.fact("seen", "door", () => null), null);
  assert.equal(
    await recorder.factLater("seen", "door", () => Promise.resolve(null)),
    null,
  );
  assert.deepEqual(records, []);
});

Deno.test("LiveRecorder gives a late fact its place when it has arrived", async () => {
  const { recorder, records } = record();
  const arrival = Promise.withResolvers<{ n: number }>();
  const fact = recorder.factLater("seen", "door", () => arrival.promise);
  recorder.derived("made", {});
  arrival.resolve({ n: 1 });
  assert.deepEqual(await fact, { n: 1 });
  assert.deepEqual(records.map(({ event }) => event), ["made", "seen"]);
});

Deno.test("LiveRecorder records nothing of a fact that could not be taken", async () => {
  const { recorder, records } = record();
  const fail = () => {
    throw new RangeError("broken");
  };
  assert.throws(() => recorder.fact("seen", "door", fail), RangeError);
  await assert.rejects(
    () => recorder.factLater("seen", "door", async () => await fail()),
    RangeError,
  );
  assert.deepEqual(records, []);
});

Deno.test("LiveRecorder flushes the durable events alone", () => {
  const { recorder, flushes } = record();
  recorder.derived("made", {});
  assert.equal(flushes(), 0);
  recorder.derived("sealed", {});
  assert.equal(flushes(), 1);
  recorder.fact("sealed", "door", () => ({}));
  assert.equal(flushes(), 2);
});

Deno.test("LiveRecorder tells nobody of a record that didn't arrive", () => {
  const { recorder, records } = record(() => 0);
  assert.throws(() => recorder.derived("made", {}), AuditFault);
  assert.deepEqual(records, []);
});

Deno.test("LiveRecorder adds up times by kind, failed work included", async () => {
  const { recorder, clock } = record();
  const taking = (ms: number) => () => {
    clock.ms += ms;
    return ms;
  };
  assert.equal(recorder.timed("edit", taking(1.25)), 1.25);
  assert.equal(recorder.timed("edit", taking(2)), 2);
  assert.throws(
    () =>
      recorder.timed("test", () => {
        taking(4)();
        throw new RangeError();
      }),
    RangeError,
  );
  const later = (ms: number) => () => Promise.resolve(taking(ms)());
  assert.equal(await recorder.timedLater("generation", later(8)), 8);
  clock.ms += 0.00001;
  assert.deepEqual(recorder.elapsedMs(), {
    edit: 3.25,
    test: 4,
    generation: 8,
    total: 15.25,
  });
});
