// The same loop and the same task, over recorded facts: what verify, replay and
// recover have in common.

import type { LoopDerived, LoopFacts } from "../agent/events.ts";
import type { Gate, MonotonicMs } from "../agent/gate.ts";
import type { JsonObject } from "../agent/json.ts";
import { type LoopProgress, noProgress } from "../agent/loop.ts";
import type { Recorder } from "../agent/recorder.ts";
import { conductRun, type RunIdentity } from "../agent/run.ts";
import type { Source } from "../agent/source.ts";
import type { Task } from "../agent/task.ts";
import type { AuditRecord } from "./audit_record.ts";
import type { EventCatalogue } from "./event_schemas.ts";
import {
  Divergence,
  EndOfRecords,
  ReplayingRecorder,
} from "./replaying_recorder.ts";

/** What evidence needs to know of a task; the composition root supplies it. */
export interface TaskEvidence {
  /** The name that manifests carry. */
  readonly name: string;
  /** Every event type of its runs, the loop's included. */
  readonly catalogue: EventCatalogue;
  /** The task over recorded facts; it looks at the disk on recovery only. */
  readonly replay: (
    recorder: Recorder,
    gate: Gate,
  ) => Task<JsonObject, string>;
}

/** What the records of a run make, derived again. */
export type Rederived =
  | { readonly kind: "complete"; readonly final: JsonObject }
  | {
    readonly kind: "ended_early";
    readonly task: Task<JsonObject, string>;
    readonly progress: LoopProgress;
    /** Type of the event that would come next. */
    readonly expected: string;
  }
  | { readonly kind: "diverged"; readonly divergence: Divergence };

/**
 * Derives a run again.
 *
 * @param records The run's records, in order.
 * @param then Takes what the task does after the records ended (recovery).
 * @throws What reading the records throws.
 */
export async function rederive(
  records: Iterable<AuditRecord>,
  identity: RunIdentity,
  evidence: TaskEvidence,
  then: (() => Recorder) | null = null,
): Promise<Rederived> {
  const recorder = new ReplayingRecorder(records);
  const task = evidence.replay(recorder as Recorder, nobodysGate);
  const progress = noProgress();
  try {
    const final = await conductRun(
      {
        task,
        source: nobody,
        gate: nobodysGate,
        recorder: recorder as unknown as Recorder<LoopFacts, LoopDerived>,
      },
      identity,
      progress,
    );
    return recorder.next === null ? { kind: "complete", final } : {
      kind: "diverged",
      divergence: new Divergence(recorder.next, {
        event: "none",
        proposal_number: null,
        content: {},
      }),
    };
  } catch (error) {
    if (error instanceof EndOfRecords) {
      if (then !== null) recorder.continueWith(then);
      const { expected } = error;
      return { kind: "ended_early", task, progress, expected };
    }
    if (error instanceof Divergence) {
      return { kind: "diverged", divergence: error };
    }
    if (recorder.next === null || recorder.isReadError(error)) throw error;
    // The facts don't carry the run this far: a required one is missing.
    return {
      kind: "diverged",
      divergence: new Divergence(recorder.next, {
        event: "another",
        proposal_number: recorder.proposalNumber || null,
        content: {},
      }),
    };
  }
}

/** A source that is never asked: the recorder has its attempts. */
const nobody: Source = {
  propose: () => Promise.reject(new Error("A replayed run asks no source")),
};

/** A gate that is never asked: the recorder has its stop words. */
const nobodysGate: Gate = {
  stop: () => null,
  runExpired: () => false,
  beginCall: () => {},
  endCall: () => {},
  deadline: Infinity as MonotonicMs,
};
