// A fresh run that is told what an earlier one was told. Facts are handed in
// from the record as long as the two agree, and written down as this run's own;
// what is derived is today's. From the first divergence on the world is asked
// again: what an earlier run was told no longer fits.

import type { JsonObject } from "../agent/json.ts";
import type {
  EventId,
  EventTable,
  Recorder,
  TimedWork,
} from "../agent/recorder.ts";
import type { AuditRecord } from "./audit_record.ts";
import { sameEvent } from "./replay.ts";
import { RecordedFault } from "./replaying_recorder.ts";

/** Feeds recorded facts to a run that is recorded live. */
export class ReplayRecorder implements Recorder<EventTable, EventTable> {
  readonly #live: Recorder<EventTable, EventTable>;
  readonly #records: readonly AuditRecord[];
  #position = 0;
  #agrees = true;

  /**
   * @param live Writes the fresh run down.
   * @param records The earlier run's records, in order.
   */
  constructor(live: Recorder, records: readonly AuditRecord[]) {
    this.#live = live;
    this.#records = records;
  }

  get proposalNumber(): number {
    return this.#live.proposalNumber;
  }

  set proposalNumber(proposalNumber: number) {
    this.#live.proposalNumber = proposalNumber;
  }

  fact(
    type: string,
    at: string,
    take: () => JsonObject | null,
  ): JsonObject | null {
    const recorded = this.#recorded(type, at);
    if (recorded === null) {
      return this.#unforeseen(this.#live.fact(type, at, take));
    }
    const { content } = recorded;
    return this.#live.fact(type, at, () => {
      // The edit that a fault left done is done here too.
      if (type === "edit_fault" && content["found"] === "after") take();
      return content;
    });
  }

  async factLater(
    type: string,
    at: string,
    take: () => Promise<JsonObject | null>,
  ): Promise<JsonObject | null> {
    const recorded = this.#recorded(type, at);
    return recorded === null
      ? this.#unforeseen(await this.#live.factLater(type, at, take))
      : this.#live.fact(type, at, () => recorded.content);
  }

  derived(type: string, content: JsonObject): EventId {
    const record = this.#next;
    if (record?.event === "harness_fault") throw new RecordedFault();
    const id = this.#live.derived(type, content);
    if (this.#agrees && record !== null) {
      this.#agrees = sameEvent(record, {
        kind: "derived",
        event: type,
        at: null,
        proposal_number: this.proposalNumber || null,
        content,
      });
      this.#position++;
    }
    return id;
  }

  timed<T>(kind: TimedWork, work: () => T): T {
    return this.#live.timed(kind, work);
  }

  timedLater<T>(kind: TimedWork, work: () => Promise<T>): Promise<T> {
    return this.#live.timedLater(kind, work);
  }

  elapsedMs(): JsonObject {
    return this.#live.elapsedMs();
  }

  /** The record that must come next; null from the divergence on. */
  get #next(): AuditRecord | null {
    return this.#agrees ? this.#records[this.#position] ?? null : null;
  }

  #recorded(type: string, at: string): AuditRecord | null {
    const record = this.#next;
    if (record?.kind !== "fact") return null;
    const isAsked = record.event === type && record.at === at &&
      record.proposal_number === (this.proposalNumber || null);
    if (!isAsked && record.event === "harness_fault") throw new RecordedFault();
    // Every run takes its own times.
    if (!isAsked || type === "times_measured") return null;
    this.#position++;
    return record;
  }

  /** A fact that the earlier run was not told. */
  #unforeseen(content: JsonObject | null): JsonObject | null {
    if (content === null || !this.#agrees) return content;
    const record = this.#next;
    if (record?.event === "times_measured" && "elapsed_ms" in content) {
      this.#position++;
    } else if (record !== null) this.#agrees = false;
    return content;
  }
}
