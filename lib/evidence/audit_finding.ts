// What is wrong with one line of an audit, with its place.

/** What is wrong, and where in the record. */
export interface RecordFlaw {
  /** One sentence without a full stop. */
  readonly message: string;
  /** The record's own number, where it says one. */
  readonly event?: number;
  /** Path of the field, such as `content.stop_reason`. */
  readonly field?: string;
  readonly expected?: string;
  readonly found?: string;
}

/** A record that can't be what a run wrote there. */
export class AuditFinding extends Error {
  override readonly name = "AuditFinding";
  /** Number of the line, from 1. */
  readonly line: number;
  readonly flaw: RecordFlaw;

  constructor(line: number, flaw: RecordFlaw) {
    const { message, field, found, expected } = flaw;
    super(
      message + (field === undefined ? "" : `: ${field}`) +
        (found === undefined ? "" : ` is ${found}`) +
        (expected === undefined ? "" : `, not ${expected}`),
    );
    this.line = line;
    this.flaw = flaw;
  }
}
