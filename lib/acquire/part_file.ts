// A partial file is `*.part`, is hashed from its start, and
// gets its final name only after its digest, a flush, and a look at what is being
// renamed. Positions and sizes are in bytes.

import * as fs from "node:fs";
import { ShortWriteError } from "../system/files.ts";
import type { Files } from "../system/files.ts";
import { PART_SUFFIX, type PlannedFile } from "./checkpoint_plan.ts";
import { FileDigest, type ObservedIdentity } from "./file_digest.ts";
import { HEAD_BYTES } from "./wrong_content.ts";

/** Bytes read or written at once. */
export const STEP_BYTES = 256 * 1024;

/** A file that isn't verified yet, open for writing at its end. */
export class PartFile {
  readonly #fd: number;
  readonly #path: string;
  #digest: FileDigest;
  #head = new Uint8Array(0);
  #published = false;

  private constructor(
    fd: number,
    path: string,
    private readonly file: PlannedFile,
  ) {
    this.#fd = fd;
    this.#path = path;
    this.#digest = new FileDigest(file);
  }

  /**
   * Opens or creates a file's partial form and hashes what is in it. One that
   * is longer than the file is emptied: it can't be a beginning of it.
   *
   * @throws The disk's error, or one that says that it is no plain file.
   */
  static open(folder: string, file: PlannedFile): PartFile {
    const path = `${folder}/${file.name}${PART_SUFFIX}`;
    const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const fd = fs.openSync(
      path,
      O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
      0o600,
    );
    const part = new PartFile(fd, path, file);
    try {
      const { size } = part.#requirePlain();
      if (size > file.bytes) part.restart();
      else part.#readBack(Number(size));
      return part;
    } catch (error) {
      part.close();
      throw error;
    }
  }

  /** Bytes that are in it. */
  get bytes(): number {
    return this.#digest.bytes;
  }

  /** Its first bytes, up to {@link HEAD_BYTES}. */
  get head(): Uint8Array {
    return this.#head;
  }

  /** Empties it; one that has its final name stays as it is. */
  restart(): void {
    if (this.#published) return;
    fs.ftruncateSync(this.#fd, 0);
    this.#digest = new FileDigest(this.file);
    this.#head = new Uint8Array(0);
  }

  /**
   * Appends bytes.
   *
   * @throws {ShortWriteError} or the disk's error.
   */
  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const count = fs.writeSync(
        this.#fd,
        bytes,
        at,
        bytes.length - at,
        this.bytes + at,
      );
      if (count === 0) throw new ShortWriteError("No more bytes were written");
      at += count;
    }
    this.#feed(bytes);
  }

  /** The digests of everything in it; nothing may be appended afterwards. */
  finish(): ObservedIdentity {
    return this.#digest.finish();
  }

  /**
   * Gives the file its final name.
   *
   * @throws The disk's error, or one that says what is in the way.
   */
  publish(files: Files, folder: string): void {
    fs.fsyncSync(this.#fd);
    const { size, ino, dev } = this.#requirePlain();
    const named = files.facts(this.#path);
    if (
      size !== BigInt(this.file.bytes) || named?.ino !== ino ||
      named.dev !== dev
    ) {
      throw new Error(
        `"${this.file.name}${PART_SUFFIX}" was changed meanwhile`,
      );
    }
    const target = `${folder}/${this.file.name}`;
    if (files.facts(target) !== null) {
      throw new Error(`"${this.file.name}" appeared meanwhile`);
    }
    files.rename(this.#path, target);
    this.#published = true;
    files.syncFolder(folder);
  }

  /** Closes it. What is in it stays; an empty one is removed. */
  close(): void {
    if (this.bytes === 0) fs.rmSync(this.#path, { force: true });
    fs.closeSync(this.#fd);
  }

  #requirePlain(): fs.BigIntStats {
    const stat = fs.fstatSync(this.#fd, { bigint: true });
    if (!stat.isFile() || stat.nlink !== 1n) {
      throw new Error(
        `"${this.file.name}${PART_SUFFIX}" is not a plain file with one name`,
      );
    }
    return stat;
  }

  #readBack(size: number): void {
    const buffer = new Uint8Array(Math.min(STEP_BYTES, size));
    while (this.bytes < size) {
      const room = Math.min(buffer.length, size - this.bytes);
      const count = fs.readSync(this.#fd, buffer, 0, room, this.bytes);
      if (count === 0) throw new Error(`"${this.file.name}" shrank meanwhile`);
      this.#feed(buffer.subarray(0, count));
    }
  }

  #feed(bytes: Uint8Array): void {
    if (this.#head.length < HEAD_BYTES) {
      const more = bytes.subarray(0, HEAD_BYTES - this.#head.length);
      const head = new Uint8Array(this.#head.length + more.length);
      head.set(this.#head);
      head.set(more, this.#head.length);
      this.#head = head;
    }
    this.#digest.update(bytes);
  }
}
