// Reads an audit as a stranger must: nothing is taken for granted but the digest
// that the first record chains to. One record is held at a time.

import type { FileHandle } from "../system/files.ts";
import { issueDifference } from "../system/issue_difference.ts";
import { type Sha256, sha256, Sha256Stream } from "../system/sha256.ts";
import { type AuditRecord, MAX_RECORD_BYTES } from "./audit_record.ts";
import { AuditFinding } from "./audit_finding.ts";
import type { AuditHead } from "./audit_writer.ts";
import type { EventCatalogue } from "./event_schemas.ts";
import { parseRecord } from "./parse_record.ts";

export { AuditFinding } from "./audit_finding.ts";

/** What follows the last whole record. */
export type Tail =
  | { readonly kind: "clean" }
  | {
    readonly kind: "torn" | "nul_padding";
    readonly bytes: number;
    readonly sha256: Sha256;
  };

/** Most NUL bytes that are read behind the records: a sparse file has any. */
export const MAX_PADDING_BYTES = 16 * 1_024 * 1_024;

const READ_BYTES = 64 * 1_024;
const NEWLINE = 0x0a;

/** One pass over the records of an audit. */
export class AuditReader implements Iterable<AuditRecord> {
  readonly #file: FileHandle;
  readonly #runId: string;
  readonly #catalogue: EventCatalogue;
  /** What the first record chains to, in words. */
  readonly #before: string;
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
    this.#before = first.count === 0
      ? "manifest.json"
      : "the audit's last line";
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
      if (rest.length > MAX_RECORD_BYTES) {
        this.#tail = this.#padding(line + 1, rest);
        return;
      }
    }
    this.#tail = rest.length === 0 ? { kind: "clean" } : {
      kind: rest.every((byte) => byte === 0) ? "nul_padding" : "torn",
      bytes: rest.length,
      sha256: sha256(rest),
    };
  }

  /** Whatever is longer than a record can only be padding up to the end. */
  #padding(line: number, first: Uint8Array): Tail {
    const digest = new Sha256Stream();
    let bytes = 0;
    for (let read = first; read.length > 0;) {
      if (!read.every((byte) => byte === 0)) {
        throw new AuditFinding(line, {
          message: `The line is over ${MAX_RECORD_BYTES} bytes long`,
        });
      }
      digest.update(read);
      bytes += read.length;
      if (bytes > MAX_PADDING_BYTES) {
        throw new AuditFinding(line, {
          message:
            `More than ${MAX_PADDING_BYTES} NUL bytes follow the last record`,
        });
      }
      read = this.#file.read(READ_BYTES);
    }
    return { kind: "nul_padding", bytes, sha256: digest.finish() };
  }

  #accept(line: number, bytes: Uint8Array): AuditRecord {
    const record = parseRecord(line, bytes);
    const expected = {
      run_id: this.#runId,
      event_id: this.#count + 1,
      prev: this.#head,
    };
    for (const [field, value] of Object.entries(expected)) {
      const found = record[field] as string | number;
      if (found === value) continue;
      throw new AuditFinding(line, {
        message: field === "prev"
          ? brokenLink(line === 1 ? this.#before : `line ${line - 1}`)
          : CHAIN_MESSAGES[field as "run_id" | "event_id"],
        event: record.event_id,
        field,
        expected: JSON.stringify(value),
        found: JSON.stringify(found),
      });
    }
    this.#checkContent(line, record);
    this.#head = sha256(bytes);
    this.#count++;
    return record;
  }

  #checkContent(line: number, record: AuditRecord): void {
    const { kind, event, event_id, content, at } = record;
    const { facts, derived } = this.#catalogue;
    const types = kind === "fact" ? facts : derived;
    const schema = Object.hasOwn(types, event) ? types[event] : undefined;
    if (schema === undefined || (kind === "fact") !== (at !== null)) {
      throw new AuditFinding(line, {
        message: `"${event}" is no ${kind} event of this run`,
        event: event_id,
        field: "event",
      });
    }
    const { error } = schema.safeParse(content);
    if (error !== undefined) {
      const { place, ...values } = issueDifference(error, content);
      throw new AuditFinding(line, {
        message: `"${event}" has other content`,
        event: event_id,
        field: place === "" ? "content" : `content.${place}`,
        ...values,
      });
    }
  }
}

const CHAIN_MESSAGES = {
  run_id: "The record belongs to another run",
  event_id: "The record has another number: one is missing, added or moved",
} as const;

/** A digest over other bytes; which of both was altered, it doesn't say. */
function brokenLink(before: string): string {
  return `Either ${before} or this record's prev was altered; expected is ` +
    `the digest of ${before} as it is`;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
