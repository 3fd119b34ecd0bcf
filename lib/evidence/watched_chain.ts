// A chain on its way to the run that replays it: each record is checked for what
// can't be before anything is derived from it, and what goes wrong is said with
// its place.

import { counted } from "../system/counted.ts";
import { AuditFinding, type AuditReader, type Tail } from "./audit_reader.ts";
import type { AuditRecord } from "./audit_record.ts";
import { firstDifference, showValue } from "./first_difference.ts";
import type { Divergence } from "./replaying_recorder.ts";
import type { VerifiedRun } from "./verify_run_parts.ts";
import { deadlineContradiction, timeContradiction } from "./verify_times.ts";

/** Which rows of the table a chain's records count for. */
export interface ChainRows {
  readonly records: string;
  readonly fact: string;
  readonly derived: string;
}

/** The records of one file, checked on their way to the run that replays them. */
export class WatchedChain implements Iterable<AuditRecord> {
  readonly #run: VerifiedRun;
  readonly #file: string;
  readonly #reader: AuditReader;
  readonly #rows: ChainRows;
  readonly #firstEvent: number;
  readonly #most: number;
  #first: AuditRecord | null = null;
  #last: AuditRecord | null = null;

  /**
   * @param rows Names of the checks that its records count for.
   * @param most Number of the last record to take.
   */
  constructor(
    run: VerifiedRun,
    file: string,
    reader: AuditReader,
    rows: ChainRows,
    most: number = Infinity,
  ) {
    this.#run = run;
    this.#file = file;
    this.#reader = reader;
    this.#rows = rows;
    this.#firstEvent = reader.head.count + 1;
    this.#most = most;
  }

  /** When the last record was made, in milliseconds. */
  get lastMs(): number {
    return this.#last?.monotonic_ms ?? 0;
  }

  *[Symbol.iterator](): Generator<AuditRecord, void> {
    const { checks, manifest, witnesses } = this.#run;
    if (this.#most === 0) return;
    for (const record of this.#reader) {
      const rows = [this.#rows.records, this.#rows[record.kind]];
      for (const row of new Set(rows)) checks.count(row);
      const contradiction =
        timeContradiction(record, this.#last, manifest.proposal_source) ??
          deadlineContradiction(record, this.#first, this.#last, manifest) ??
          witnesses.map((witness) => witness.see(record))
            .find((found) => found !== null);
      if (contradiction !== undefined) {
        throw checks.refute(
          record.kind === "fact" ? this.#rows.fact : this.#rows.records,
          { ...this.#place(record), ...contradiction },
        );
      }
      this.#first ??= record;
      this.#last = record;
      yield record;
      if (record.event_id === this.#most) return;
    }
  }

  /** Does what reads the records; a line that is none refutes the run. */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      throw this.#refuteLine(error);
    }
  }

  /** {@link reading} for what is done at once. */
  readingNow<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#refuteLine(error);
    }
  }

  /** What follows from the facts isn't what is recorded. */
  refuteDerived({ found, expected }: Divergence): Error {
    const { checks } = this.#run;
    const row = this.#rows.derived;
    const place = found === null ? { file: this.#file } : this.#place(found);
    const { event } = expected;
    if (event === "none") {
      return checks.refute(row, {
        ...place,
        message: "The run has ended before this record",
        expected: "nothing",
        found: showValue(found?.event),
      });
    }
    if (found === null || event !== found.event || event === "another") {
      return checks.refute(row, {
        ...place,
        field: "event",
        message: "Another event follows from the facts before it",
        expected: event === "another" ? "another" : showValue(event),
        found: showValue(found?.event),
      });
    }
    const { proposal_number, content } = found;
    const difference = firstDifference(expected, {
      event,
      proposal_number,
      content,
    });
    return checks.refute(row, {
      ...place,
      message: "It doesn't follow from the facts before it",
      field: difference?.path ?? null,
      expected: difference?.expected ?? null,
      found: difference?.found ?? null,
    });
  }

  /** Nothing may follow the last record. */
  refuseTail(tail: Tail): void {
    if (tail.kind === "clean") return;
    const { count } = this.#reader.head;
    throw this.#run.checks.refute(this.#rows.records, {
      file: this.#file,
      line: count + 2 - this.#firstEvent,
      message: tail.kind === "torn"
        ? "The file ends in the middle of a record"
        : "NUL bytes follow the last record, as a power cut leaves them",
      expected: `the end of the file after event ${count}`,
      found: `${counted(tail.bytes, "byte")} more`,
    });
  }

  #refuteLine(error: unknown): unknown {
    if (!(error instanceof AuditFinding)) return error;
    const { line, flaw } = error;
    const { checks } = this.#run;
    return checks.refute(this.#rows.records, {
      file: this.#file,
      line,
      ...flaw,
    });
  }

  #place(record: AuditRecord) {
    return {
      file: this.#file,
      line: record.event_id + 1 - this.#firstEvent,
      event: record.event_id,
    };
  }
}
