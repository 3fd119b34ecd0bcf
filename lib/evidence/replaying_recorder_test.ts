import assert from "node:assert/strict";
import type { Recorder } from "../agent/recorder.ts";
import { recordOf } from "../../tests/small_audit.ts";
import type { AuditRecord } from "./audit_record.ts";
import {
  Divergence,
  EndOfRecords,
  RecordedFault,
  ReplayingRecorder,
} from "./replaying_recorder.ts";

function fact(
  event_id: number,
  event: string,
  at: string,
  content = {},
): AuditRecord {
  return recordOf(event_id, event, { kind: "fact", at, content });
}

const never = () => {
  throw new Error("The world was asked");
};

Deno.test("ReplayingRecorder hands a fact back where it was asked for", async () => {
  const recorder = new ReplayingRecorder([
    fact(1, "seen", "door", { n: 1 }),
    fact(2, "seen", "window", { n: 2 }),
  ]);
  assert.deepEqual(recorder.fact("seen", "door", never), { n: 1 });
  assert.deepEqual(await recorder.factLater("seen", "window", never), { n: 2 });
  assert.equal(recorder.next, null);
  assert.equal(recorder.last?.event_id, 2);
});

Deno.test("ReplayingRecorder has no fact of another kind, place or proposal", () => {
  const record = fact(1, "seen", "door", { n: 1 });
  const recorder = new ReplayingRecorder([{ ...record, proposal_number: 2 }]);
  recorder.proposalNumber = 1;
  assert.equal(recorder.fact("seen", "door", never), null);
  recorder.proposalNumber = 2;
  assert.equal(recorder.fact("heard", "door", never), null);
  assert.equal(recorder.fact("seen", "window", never), null);
  assert.equal(recorder.next?.event_id, 1);
  assert.deepEqual(recorder.fact("seen", "door", never), { n: 1 });
});

Deno.test("ReplayingRecorder takes a derived event that is what is recorded", () => {
  const recorder = new ReplayingRecorder([
    recordOf(7, "made", { content: { a: 1, b: [2] } }),
  ]);
  assert.equal(recorder.derived("made", { b: [2], a: 1 }), 7);
});

Deno.test("ReplayingRecorder tells where a derived event differs", () => {
  const found = recordOf(1, "made", { content: { n: 1 } });
  for (
    const [event, content, proposal] of [
      ["made", { n: 2 }, 0],
      ["made", { n: 1, more: null }, 0],
      ["other", { n: 1 }, 0],
      ["made", { n: 1 }, 1],
    ] as const
  ) {
    const recorder = new ReplayingRecorder([found]);
    recorder.proposalNumber = proposal;
    assert.throws(() => recorder.derived(event, content), (error) => {
      assert.ok(error instanceof Divergence);
      assert.deepEqual(error.found, found);
      assert.deepEqual(error.expected, {
        event,
        proposal_number: proposal || null,
        content,
      });
      return true;
    });
    assert.equal(recorder.next, found);
  }
});

Deno.test("ReplayingRecorder finds a fact where an event should follow", () => {
  const recorder = new ReplayingRecorder([fact(1, "seen", "door")]);
  assert.throws(() => recorder.derived("made", {}), Divergence);
});

Deno.test("ReplayingRecorder throws a recorded fault at the first question", () => {
  const fault = fact(1, "harness_fault", "loop", { error: "EIO" });
  const recorder = new ReplayingRecorder([fault]);
  assert.throws(() => recorder.fact("seen", "door", never), RecordedFault);
  assert.throws(() => recorder.derived("made", {}), RecordedFault);
  assert.deepEqual(recorder.fact("harness_fault", "loop", never), {
    error: "EIO",
  });
});

Deno.test("ReplayingRecorder ends where the records do, as often as it is asked", async () => {
  const recorder = new ReplayingRecorder([recordOf(1, "made")]);
  recorder.derived("made", { text: "" });
  for (let again = 0; again < 2; again++) {
    assert.throws(() => recorder.fact("seen", "door", never), EndOfRecords);
    assert.throws(() => recorder.derived("made", {}), EndOfRecords);
    await assert.rejects(
      () => recorder.factLater("seen", "door", never),
      EndOfRecords,
    );
  }
});

Deno.test("ReplayingRecorder hands over only when it is told to", () => {
  const recorder = new ReplayingRecorder([]);
  const asked: string[] = [];
  let made = 0;
  const successor = {
    proposalNumber: 0,
    fact: (type: string) => {
      asked.push(`${type} of ${successor.proposalNumber}`);
      return { n: 1 };
    },
    derived: (type: string) => asked.push(type),
  };
  assert.throws(() => recorder.fact("seen", "door", never), EndOfRecords);
  recorder.continueWith(() => {
    made++;
    return successor as unknown as Recorder;
  });
  assert.equal(made, 0);
  recorder.proposalNumber = 4;
  assert.deepEqual(recorder.fact("seen", "door", never), { n: 1 });
  recorder.derived("made", {});
  assert.deepEqual(asked, ["seen of 4", "made"]);
  assert.equal(made, 1);
});

Deno.test("ReplayingRecorder never forgets that the records can't be read", () => {
  const error = new Error("bad sector");
  const recorder = new ReplayingRecorder(function* () {
    yield recordOf(1, "made");
    throw error;
  }());
  assert.throws(() => recorder.derived("made", { text: "" }), error);
  assert.throws(() => recorder.fact("seen", "door", never), error);
  assert.equal(recorder.isReadError(error), true);
  assert.equal(recorder.isReadError(new Error("bad sector")), false);
});

Deno.test("ReplayingRecorder takes no times", async () => {
  const recorder = new ReplayingRecorder([]);
  assert.equal(recorder.timed("edit", () => 1), 1);
  assert.equal(
    await recorder.timedLater("generation", () => Promise.resolve(2)),
    2,
  );
  assert.deepEqual(recorder.elapsedMs(), {});
});
