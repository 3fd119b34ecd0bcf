// Reads an audit as a stranger must: nothing is taken for granted but the digest
// that the first record chains to. One record is held at a time.

import type { FileHandle } from "../system/files.ts";
import { type Sha256, sha256 } from "../system/sha256.ts";
import {
  type AuditRecord,
  canonicalJson,
  MAX_RECORD_BYTES,
} from "./audit_record.ts";
import type { AuditHead } from "./audit_writer.ts";
import type { EventCatalogue } from "./event_schemas.ts";
import { auditRecordSchema } from "./record_schema.ts";

/** What follows the last whole record. */
export type Tail =
  | { readonly kind: "clean" }
  | {
    readonly kind: "torn" | "nul_padding";
    readonly bytes: number;
    readonly sha256: Sha256;
  };

/** A record that can't be what a run wrote there. */
export class AuditFinding extends Error {
  override readonly name = "AuditFinding";
  /** Number of the line, from 1. */
  readonly line: number;

  constructor(line: number, why: string) {
    super(why);
    this.line = line;
  }
}

const READ_BYTES = 64 * 1_024;
const NEWLINE = 0x0a;

/** One pass over the records of an audit. */
export class AuditReader implements Iterable<AuditRecord> {
  readonly #file: FileHandle;
  readonly #runId: string;
  readonly #catalogue: EventCatalogue;
  #head: Sha256;
  #count = 0;
  #tail: Tail | null = null;

  /**
   * @param file The open audit, at its start.
   * @param catalogue The event types that the run can have.
   * @param first What the first record chains to, and its number less 1.
   */
  constructor(
    file: FileHandle,
    runId: string,
    catalogue: EventCatalogue,
    first: AuditHead,
  ) {
    this.#file = file;
    this.#runId = runId;
    this.#catalogue = catalogue;
    this.#head = first.head;
    this.#count = first.count;
  }

  /** Last record's digest and number, as far as was read. */
  get head(): AuditHead {
    return { head: this.#head, count: this.#count };
  }

  /** What follows the last whole record; null before the end was reached. */
  get tail(): Tail | null {
    return this.#tail;
  }

  /**
   * The records in order.
   *
   * @throws {AuditFinding} at the first line that isn't the next record.
   */
  *[Symbol.iterator](): Generator<AuditRecord, void> {
    let line = 0;
    let rest: Uint8Array = new Uint8Array();
    for (;;) {
      const read = this.#file.read(READ_BYTES);
      const bytes = joined(rest, read);
      let start = 0;
      for (;;) {
        const end = bytes.indexOf(NEWLINE, start);
        if (end === -1) break;
        line++;
        yield this.#accept(line, bytes.subarray(start, end));
        start = end + 1;
      }
      rest = bytes.slice(start);
      if (read.length < READ_BYTES) break;
      if (rest.length > MAX_RECORD_BYTES && !rest.every((byte) => byte === 0)) {
        throw new AuditFinding(
          line + 1,
          `The line is over ${MAX_RECORD_BYTES} bytes long`,
        );
      }
    }
    this.#tail = rest.length === 0 ? { kind: "clean" } : {
      kind: rest.every((byte) => byte === 0) ? "nul_padding" : "torn",
      bytes: rest.length,
      sha256: sha256(rest),
    };
  }

  #accept(line: number, bytes: Uint8Array): AuditRecord {
    const record = parseRecord(line, bytes);
    const expected = {
      run_id: this.#runId,
      event_id: this.#count + 1,
      prev: this.#head,
    };
    for (const [field, value] of Object.entries(expected)) {
      if (record[field] !== value) {
        throw new AuditFinding(
          line,
          `"${field}" is ${JSON.stringify(record[field])}, not ${
            JSON.stringify(value)
          }`,
        );
      }
    }
    const { kind, event, content, at } = record;
    const types = kind === "fact"
      ? this.#catalogue.facts
      : this.#catalogue.derived;
    const schema = Object.hasOwn(types, event) ? types[event] : undefined;
    if (schema === undefined || (kind === "fact") !== (at !== null)) {
      throw new AuditFinding(
        line,
        `"${event}" is no ${kind} event of this run`,
      );
    }
    const issue = schema.safeParse(content).error?.issues[0];
    if (issue !== undefined) {
      throw new AuditFinding(
        line,
        `"${event}" has other content: ${
          issue.path.join(".")
        }: ${issue.message}`,
      );
    }
    this.#head = sha256(bytes);
    this.#count++;
    return record;
  }
}

function parseRecord(line: number, bytes: Uint8Array): AuditRecord {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch {
    throw new AuditFinding(line, "The line isn't UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AuditFinding(line, "The line isn't one JSON value");
  }
  const parsed = auditRecordSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AuditFinding(
      line,
      `The line isn't a record: ${issue?.path.join(".")}: ${issue?.message}`,
    );
  }
  if (canonicalJson(value) !== text) {
    throw new AuditFinding(line, "The line isn't in canonical form");
  }
  return parsed.data as AuditRecord;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
