// Durability is a seam: workspace, audit and reports reach the disk through
// this interface alone, so that a test can fail, shorten or stop at the Nth
// operation. Everything is synchronous: nothing else of the thread runs between
// a check and the operation it guards.

import * as fs from "node:fs";

export { errorCode } from "./error_code.ts";

/** What the system says of a file, without following a link. */
export interface FileFacts {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly dev: bigint;
  readonly ino: bigint;
  /** Number of hard links. */
  readonly links: number;
  /** In bytes. */
  readonly size: number;
}

/** An open file. */
export interface FileHandle {
  facts(): FileFacts;
  /** Up to `maxBytes` from the current position; fewer only at the end. */
  read(maxBytes: number): Uint8Array;
  /** One write; the count of bytes that arrived, in bytes. */
  write(bytes: Uint8Array): number;
  /** Flushes content and metadata to the device. */
  sync(): void;
  close(): void;
}

/** An exclusive advisory lock, held until it is released or the thread ends. */
export interface FileLock {
  release(): void;
}

/** The file operations that the controller may use. Paths are absolute. */
export interface Files {
  /** The path with every link resolved. */
  realPath(path: string): string;
  /** Facts about the entry itself; null where there is none. */
  facts(path: string): FileFacts | null;
  /** Names in a folder, sorted. */
  list(path: string): string[];
  /** Opens for reading; a link as last component is refused by the system. */
  open(path: string): FileHandle;
  /** Creates a file of mode 0600 that must not exist yet. */
  create(path: string): FileHandle;
  /** Creates a folder of mode 0700 that must not exist yet. */
  makeFolder(path: string): void;
  /** Replaces `to` by `from`, atomically, on one file system. */
  rename(from: string, to: string): void;
  /** Removes one file. */
  remove(path: string): void;
  /** Flushes a folder's entries to the device. */
  syncFolder(path: string): void;
  /** Locks a file (flock); null where somebody else holds its lock. */
  lock(path: string): FileLock | null;
}

/** A write that stored fewer bytes than it was given: the disk may be full. */
export class ShortWriteError extends Error {
  override readonly name = "ShortWriteError";
  readonly code = "ESHORT";
}

/**
 * Writes all bytes in one write.
 *
 * @throws {ShortWriteError} if fewer arrived; what did arrive stays.
 */
export function writeWhole(file: FileHandle, bytes: Uint8Array): void {
  const written = file.write(bytes);
  if (written !== bytes.length) {
    throw new ShortWriteError(
      `Only ${written} of ${bytes.length} bytes were written`,
    );
  }
}

/** A folder that isn't where it was: what is written there lands elsewhere. */
export class FolderMovedError extends Error {
  override readonly name = "FolderMovedError";
  readonly code = "ELOOP";
}

/**
 * Makes sure that a folder is the one of its real path: a new file has no entry
 * of its own to compare, and a link in its folder's place would be followed.
 *
 * @throws {FolderMovedError} if a link is in its place, or above it.
 */
export function requireInPlace(files: Files, folder: string): void {
  if (files.realPath(folder) !== folder) {
    throw new FolderMovedError("The folder was moved, or is a link");
  }
}

/** Creates `path` with these bytes and flushes them. */
export function createWhole(
  files: Files,
  path: string,
  bytes: Uint8Array,
): void {
  const file = files.create(path);
  try {
    writeWhole(file, bytes);
    file.sync();
  } finally {
    file.close();
  }
}

/**
 * Publishes bytes under `name` in `folder`, given by its real path: temporary
 * file, flush, rename, flush of the folder. Readers see all of it or none.
 *
 * A temporary file that an earlier, killed attempt left is removed first.
 */
export function publish(
  files: Files,
  folder: string,
  name: string,
  bytes: Uint8Array,
): void {
  const part = createPart(files, folder, name, bytes);
  files.rename(part, `${folder}/${name}`);
  files.syncFolder(folder);
}

function createPart(
  files: Files,
  folder: string,
  name: string,
  bytes: Uint8Array,
): string {
  requireInPlace(files, folder);
  const part = `${folder}/${name}.part`;
  if (files.facts(part) !== null) files.remove(part);
  createWhole(files, part, bytes);
  return part;
}

/**
 * {@link publish}, but never over anything: what is there stays, and the
 * temporary file goes. Between this check and the rename no other code of this
 * thread runs; another process could still come in between.
 *
 * @throws {AlreadyThereError} if `name` is taken.
 */
export function publishNew(
  files: Files,
  folder: string,
  name: string,
  bytes: Uint8Array,
): void {
  const part = createPart(files, folder, name, bytes);
  if (files.facts(`${folder}/${name}`) !== null) {
    files.remove(part);
    throw new AlreadyThereError(`"${name}" is there already`);
  }
  files.rename(part, `${folder}/${name}`);
  files.syncFolder(folder);
}

/** Something has the name that a file was to be published under. */
export class AlreadyThereError extends Error {
  override readonly name = "AlreadyThereError";
  readonly code = "EEXIST";
}

const { constants } = fs;

/** The operating system's files. */
export const diskFiles: Files = {
  realPath: (path) => Deno.realPathSync(path),
  facts: factsAt,
  list: (path) => fs.readdirSync(path).sort(),
  // O_NONBLOCK: a FIFO put in a file's place must not hold the controller.
  open: (path) =>
    handle(fs.openSync(
      path,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )),
  create: (path) =>
    handle(fs.openSync(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL |
        constants.O_NOFOLLOW,
      0o600,
    )),
  makeFolder: (path) => fs.mkdirSync(path, { mode: 0o700 }),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  syncFolder: (path) => {
    const fd = fs.openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
  lock: (path) => {
    const file = Deno.openSync(path, { read: true });
    if (file.tryLockSync(true)) return { release: () => file.close() };
    file.close();
    return null;
  },
};

function handle(fd: number): FileHandle {
  return {
    facts: () => describe(fs.fstatSync(fd, { bigint: true })),
    read: (maxBytes) => {
      const buffer = new Uint8Array(maxBytes);
      let length = 0;
      while (length < maxBytes) {
        const count = fs.readSync(fd, buffer, length, maxBytes - length, null);
        if (count === 0) break;
        length += count;
      }
      return buffer.subarray(0, length);
    },
    write: (bytes) => fs.writeSync(fd, bytes, 0, bytes.length),
    sync: () => fs.fsyncSync(fd),
    close: () => fs.closeSync(fd),
  };
}

function factsAt(path: string): FileFacts | null {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : describe(stat);
}

function describe(stat: fs.BigIntStats): FileFacts {
  return {
    kind: stat.isSymbolicLink()
      ? "link"
      : stat.isFile()
      ? "file"
      : stat.isDirectory()
      ? "directory"
      : "other",
    dev: stat.dev,
    ino: stat.ino,
    links: Number(stat.nlink),
    size: Number(stat.size),
  };
}
