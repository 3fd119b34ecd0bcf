// Hands recorded facts back and compares what is derived: a run that agrees to
// its last record is the run that these facts make. The world is never asked.

import type { JsonObject } from "../agent/json.ts";
import type {
  EventId,
  EventTable,
  Recorder,
  TimedWork,
} from "../agent/recorder.ts";
import { type AuditRecord, canonicalJson } from "./audit_record.ts";

/** The records end before the run does. */
export class EndOfRecords extends Error {
  override readonly name = "EndOfRecords";
  /** Type of the event that the run would go on with, or asked for. */
  readonly expected: string;

  constructor(expected: string) {
    super(`The records end before "${expected}"`);
    this.expected = expected;
  }
}

/** A recorded fault, thrown where the run that is replayed met it. */
export class RecordedFault extends Error {
  override readonly name = "RecordedFault";
}

/** Something derived differs from what is recorded. */
export class Divergence extends Error {
  override readonly name = "Divergence";
  /** The record it should be; null where there is none. */
  readonly found: AuditRecord | null;
  /** Event and content that follow from the facts. */
  readonly expected: JsonObject;

  constructor(found: AuditRecord | null, expected: JsonObject) {
    super(`Event ${found?.event_id ?? "after the last"} differs`);
    this.found = found;
    this.expected = expected;
  }
}

/** Replays one run's records, in order, holding one at a time. */
export class ReplayingRecorder implements Recorder<EventTable, EventTable> {
  proposalNumber = 0;
  readonly #records: Iterator<AuditRecord>;
  #then: (() => Recorder) | null = null;
  #successor: Recorder | null = null;
  #next: AuditRecord | null;
  #last: AuditRecord | null = null;
  #unreadable: { readonly error: unknown } | null = null;

  constructor(records: Iterable<AuditRecord>) {
    this.#records = records[Symbol.iterator]();
    this.#next = this.#pull();
  }

  /**
   * Hands over what is asked from now on. Only for a run that was left by its
   * {@link EndOfRecords}: before that, its own answer to an error would be
   * taken for something that happened.
   */
  continueWith(then: () => Recorder): void {
    this.#then = then;
  }

  /** The record that was replayed last. */
  get last(): AuditRecord | null {
    return this.#last;
  }

  /** Whether this is the error that ended the reading of the records. */
  isReadError(error: unknown): boolean {
    return this.#unreadable !== null && this.#unreadable.error === error;
  }

  /** The first record that nothing has asked for; null at the end. */
  get next(): AuditRecord | null {
    return this.#next;
  }

  fact(
    type: string,
    at: string,
    take: () => JsonObject | null,
  ): JsonObject | null {
    const successor = this.#handedOver();
    if (successor !== null) return successor.fact(type, at, take);
    const record = this.#peek(type);
    if (record.kind === "fact") {
      if (record.event === type && record.at === at && this.#inPlace(record)) {
        return this.#advance(record).content;
      }
      if (record.event === "harness_fault") throw new RecordedFault();
    }
    return null;
  }

  // deno-lint-ignore require-await
  async factLater(
    type: string,
    at: string,
    _take: () => Promise<JsonObject | null>,
  ): Promise<JsonObject | null> {
    return this.fact(type, at, () => null);
  }

  derived(type: string, content: JsonObject): EventId {
    const successor = this.#handedOver();
    if (successor !== null) return successor.derived(type, content);
    const record = this.#peek(type);
    if (record.kind === "fact" && record.event === "harness_fault") {
      throw new RecordedFault();
    }
    if (
      record.kind !== "derived" || record.event !== type ||
      !this.#inPlace(record) ||
      canonicalJson(record.content) !== canonicalJson(content)
    ) {
      throw new Divergence(record, {
        event: type,
        proposal_number: this.proposalNumber || null,
        content,
      });
    }
    return this.#advance(record).event_id;
  }

  timed<T>(_kind: TimedWork, work: () => T): T {
    return work();
  }

  timedLater<T>(_kind: TimedWork, work: () => Promise<T>): Promise<T> {
    return work();
  }

  elapsedMs(): JsonObject {
    return {};
  }

  #inPlace(record: AuditRecord): boolean {
    return (record.proposal_number ?? 0) === this.proposalNumber;
  }

  #peek(expected: string): AuditRecord {
    if (this.#unreadable !== null) throw this.#unreadable.error;
    if (this.#next !== null) return this.#next;
    throw new EndOfRecords(expected);
  }

  #handedOver(): Recorder | null {
    if (this.#then === null) return null;
    this.#successor ??= this.#then();
    this.#successor.proposalNumber = this.proposalNumber;
    return this.#successor;
  }

  #advance(record: AuditRecord): AuditRecord {
    this.#last = record;
    this.#next = this.#pull();
    return record;
  }

  #pull(): AuditRecord | null {
    try {
      const { done, value } = this.#records.next();
      return done ? null : value;
    } catch (error) {
      // A run answers errors; this one isn't the run's, so it stays for good.
      this.#unreadable = { error };
      throw error;
    }
  }
}
