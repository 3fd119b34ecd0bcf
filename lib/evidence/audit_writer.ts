// The audit is append-only. One write a record; a write that fell short leaves
// what arrived, ends the run, and is explained by recovery: nothing is repaired
// in place.

import {
  errorCode,
  type FileHandle,
  type FileLock,
  type Files,
  writeWhole,
} from "../system/files.ts";
import { type Sha256, sha256 } from "../system/sha256.ts";
import {
  type AuditRecord,
  canonicalJson,
  MAX_RECORD_BYTES,
} from "./audit_record.ts";

/** Name of the audit in a run's folder. */
export const AUDIT_NAME = "audit.jsonl";

/** The evidence could not be written; the run can't go on. */
export class AuditFault extends Error {
  override readonly name = "AuditFault";
  /** The system's error code. */
  readonly code: string;

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The last record's digest and the number of records. */
export interface AuditHead {
  readonly head: Sha256;
  readonly count: number;
}

/** A record before the writer gives it its place in the chain. */
export type UnchainedRecord = Omit<AuditRecord, "event_id" | "prev">;

/** Appends records to one run's audit; holds an exclusive lock on it. */
export class AuditWriter {
  readonly #file: FileHandle;
  readonly #lock: FileLock | null;
  #head: Sha256;
  #count: number;
  #broken: AuditFault | null = null;

  /**
   * @param first Digest that the first record chains to, and its number less 1.
   * @param lock Released with the writer.
   */
  constructor(file: FileHandle, first: AuditHead, lock: FileLock | null) {
    this.#file = file;
    this.#head = first.head;
    this.#count = first.count;
    this.#lock = lock;
  }

  /**
   * Creates the audit of a fresh run and takes its lock.
   *
   * @param manifest Digest of the manifest's bytes.
   * @throws {AuditFault} if the file exists, can't be made, or is locked.
   */
  static create(files: Files, folder: string, manifest: Sha256): AuditWriter {
    const path = `${folder}/${AUDIT_NAME}`;
    let file: FileHandle | null = null;
    let lock: FileLock | null = null;
    try {
      file = files.create(path);
      lock = files.lock(path);
      if (lock === null) {
        throw new AuditFault("The audit is locked", "ELOCKED");
      }
      file.sync();
      files.syncFolder(folder);
      return new AuditWriter(file, { head: manifest, count: 0 }, lock);
    } catch (error) {
      closeBoth(file, lock);
      throw error instanceof AuditFault ? error : new AuditFault(
        "The audit could not be created",
        errorCode(error),
        error,
      );
    }
  }

  /** Where the chain stands. */
  get head(): AuditHead {
    return { head: this.#head, count: this.#count };
  }

  /**
   * Appends one record.
   *
   * @param durable Whether it must be on the device before this returns.
   * @throws {AuditFault} if it didn't arrive whole; then for ever.
   */
  append(unchained: UnchainedRecord, durable: boolean): AuditRecord {
    if (this.#broken !== null) throw this.#broken;
    const record = {
      ...unchained,
      event_id: this.#count + 1,
      prev: this.#head,
    } as AuditRecord;
    const line = new TextEncoder().encode(`${canonicalJson(record)}\n`);
    const bytes = line.subarray(0, -1);
    try {
      if (bytes.length > MAX_RECORD_BYTES) {
        throw new RangeError(`A record of ${bytes.length} bytes`);
      }
      writeWhole(this.#file, line);
      if (durable) this.#file.sync();
    } catch (error) {
      this.#broken = new AuditFault(
        `Record ${record.event_id} could not be written`,
        errorCode(error),
        error,
      );
      throw this.#broken;
    }
    this.#head = sha256(bytes);
    this.#count++;
    return record;
  }

  /**
   * Makes sure that a run's folder holds the audit that was written: what closes
   * a run must not come to lie beside another one.
   *
   * @throws {AuditFault} if another file, or none, is in its place.
   */
  requireInPlace(files: Files, folder: string): void {
    const found = files.facts(`${folder}/${AUDIT_NAME}`);
    const { dev, ino } = this.#file.facts();
    if (found?.dev !== dev || found.ino !== ino) {
      throw new AuditFault("The audit was moved, or replaced", "ENOENT");
    }
  }

  /**
   * Flushes, closes the file and releases the lock. What is broken isn't
   * flushed: the fault that broke it is the one to report.
   */
  close(): void {
    try {
      if (this.#broken === null) this.#file.sync();
    } finally {
      closeBoth(this.#file, this.#lock);
    }
  }
}

function closeBoth(file: FileHandle | null, lock: FileLock | null): void {
  try {
    file?.close();
  } finally {
    lock?.release();
  }
}
