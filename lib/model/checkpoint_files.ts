// Lab Part 2: sizes, Git blob identities and SHA-256 before anything is loaded.
// A file that is a link, has a second name, or changes while it is read or
// loaded is refused, whatever its bytes are.

import { createHash, type Hash } from "node:crypto";
import * as fs from "node:fs";
import type {
  CheckpointManifest,
  DeclaredFile,
} from "./checkpoint_manifest.ts";
import { refuse, shown } from "./model_refusal.ts";
import { reading } from "./readable_file.ts";

/** What tells one state of a file from another, without reading it. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly links: bigint;
  /** In bytes. */
  readonly size: bigint;
  /**
   * Last change of content, and of anything, in milliseconds since 1970; the
   * runtime rounds the latter down to whole seconds.
   */
  readonly mtimeMs: bigint;
  readonly ctimeMs: bigint;
}

/** A file whose bytes are the declared ones. */
export interface VerifiedFile {
  readonly name: string;
  /** In bytes. */
  readonly bytes: number;
  readonly sha256: string;
  readonly gitBlobSha1: string | null;
  readonly identity: FileIdentity;
}

/** A verified checkpoint. */
export interface VerifiedCheckpoint {
  readonly files: readonly VerifiedFile[];
  /** The hashed bytes of the files that are read whole, by name. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Bytes of the weights from `offset`, of the very file that was hashed. */
  readWeights(offset: number, length: number): Uint8Array;
  /** Closes the weights. */
  close(): void;
}

/** Name of the file that holds the weights. */
export const WEIGHTS_FILE = "model.safetensors";

/**
 * The files that are read whole, and their most bytes: several times what any
 * checkpoint of this architecture has, and little enough to be parsed whatever
 * they hold.
 */
export const MOST_BYTES: Readonly<Record<string, number>> = {
  "config.json": 64 * 1_024,
  "tokenizer.json": 16 * 1_024 * 1_024,
  "tokenizer_config.json": 256 * 1_024,
};

/** Files that an acquisition leaves in a model folder beside the checkpoint. */
const LEDGER = /^acquisition\.json/;

/** Read and hashed at once, in bytes; bigger steps are no faster. */
const STEP = 1 << 20;

/**
 * Verifies a model folder against its manifest, reading every file once.
 *
 * @param folder Real path of the model folder.
 * @param progress Told how many bytes are verified so far.
 * @throws {ModelRefusal} At the first file that isn't the declared one.
 */
export function verifyCheckpoint(
  folder: string,
  manifest: CheckpointManifest,
  progress: (verifiedBytes: number) => void = () => {},
): VerifiedCheckpoint {
  refuseLargeFiles(manifest);
  refuseUnexpectedFiles(folder, manifest);
  const contents = new Map<string, Uint8Array>();
  const files: VerifiedFile[] = [];
  let weights: number | undefined;
  let verified = 0;
  try {
    // The small ones first: they are the likely ones to be wrong.
    for (const file of manifest.files.toSorted((a, b) => a.bytes - b.bytes)) {
      const { fd, identity } = reading(
        `"${file.name}"`,
        () => openDeclared(folder, file),
      );
      try {
        const kept = Object.hasOwn(MOST_BYTES, file.name)
          ? new Uint8Array(file.bytes)
          : null;
        const digests = reading(`"${file.name}"`, () => {
          const found = hash(
            fd,
            file,
            kept,
            (count) => progress(verified += count),
          );
          const after = fs.fstatSync(fd, { bigint: true });
          requireSame(file.name, identity, identityOf(after));
          return found;
        });
        files.push({
          name: file.name,
          bytes: file.bytes,
          ...digests,
          identity,
        });
        if (file.name === WEIGHTS_FILE) weights = fd;
        if (kept !== null) contents.set(file.name, kept);
      } finally {
        if (weights !== fd) fs.closeSync(fd);
      }
    }
  } catch (error) {
    if (weights !== undefined) fs.closeSync(weights);
    throw error;
  }
  const fd = weights ?? refuse(`The manifest doesn't name "${WEIGHTS_FILE}"`);
  return {
    files: manifest.files.map(({ name }) =>
      files.find((file) => file.name === name)!
    ),
    contents,
    readWeights: (offset, length) =>
      reading(`"${WEIGHTS_FILE}"`, () => readAt(fd, offset, length)),
    close: () => fs.closeSync(fd),
  };
}

/**
 * Checks that no file changed since it was verified. Loading opens the weights
 * by name once more, in native code; this is what ties the two together.
 *
 * @throws {ModelRefusal} If one did.
 */
export function confirmUnchanged(
  folder: string,
  files: readonly VerifiedFile[],
): void {
  for (const { name, identity } of files) {
    const entry = reading(
      `"${name}"`,
      () =>
        fs.lstatSync(`${folder}/${name}`, {
          bigint: true,
          throwIfNoEntry: false,
        }),
    );
    if (entry === undefined || !entry.isFile()) {
      refuse(`"${name}" was replaced while the model was loading`);
    }
    requireSame(name, identity, identityOf(entry));
  }
}

/**
 * Checks what a model folder's entries alone show: every declared file is there
 * with its size, under one name, and nothing else is. Contents aren't read.
 *
 * @param folder Real path of the model folder.
 * @throws {ModelRefusal} At the first entry that isn't as declared.
 */
export function requireDeclaredEntries(
  folder: string,
  manifest: CheckpointManifest,
): void {
  refuseUnexpectedFiles(folder, manifest);
  for (const file of manifest.files) {
    reading(`"${file.name}"`, () => declaredEntry(folder, file));
  }
}

function refuseLargeFiles(manifest: CheckpointManifest): void {
  for (const { name, bytes } of manifest.files) {
    const most = Object.hasOwn(MOST_BYTES, name) ? MOST_BYTES[name]! : Infinity;
    if (bytes > most) {
      refuse(`"${name}" has ${bytes} bytes: the most is ${most}`);
    }
  }
}

function refuseUnexpectedFiles(
  folder: string,
  manifest: CheckpointManifest,
): void {
  const declared = new Set(manifest.files.map(({ name }) => name));
  const names = reading("The model folder", () => fs.readdirSync(folder));
  for (const name of names.sort()) {
    if (declared.has(name) || LEDGER.test(name)) continue;
    refuse(
      `The model folder holds ${
        shown(name)
      }, which is not a file of the checkpoint "${manifest.label}"`,
    );
  }
}

function declaredEntry(
  folder: string,
  { name, bytes }: DeclaredFile,
): fs.BigIntStats {
  const path = `${folder}/${name}`;
  const entry = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (entry === undefined) refuse(`The model folder lacks "${name}"`);
  if (entry.isSymbolicLink()) {
    refuse(
      `"${name}" is a symbolic link: a checkpoint's files must be files themselves`,
    );
  }
  if (!entry.isFile()) refuse(`"${name}" is not a regular file`);
  if (entry.nlink !== 1n) {
    refuse(`"${name}" has a second hard link, through which it could change`);
  }
  if (entry.size !== BigInt(bytes)) {
    refuse(`"${name}" has ${entry.size} bytes instead of ${bytes}`);
  }
  return entry;
}

function openDeclared(
  folder: string,
  file: DeclaredFile,
): { fd: number; identity: FileIdentity } {
  const { name } = file;
  const path = `${folder}/${name}`;
  const entry = declaredEntry(folder, file);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const identity = identityOf(fs.fstatSync(fd, { bigint: true }));
    requireSame(name, identityOf(entry), identity);
    return { fd, identity };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

function hash(
  fd: number,
  file: DeclaredFile,
  kept: Uint8Array | null,
  progress: (count: number) => void,
): { sha256: string; gitBlobSha1: string | null } {
  const sha256 = createHash("sha256");
  const blob: Hash | null = file.gitBlobSha1 === undefined
    ? null
    : createHash("sha1").update(`blob ${file.bytes}\0`);
  const buffer = new Uint8Array(Math.min(STEP, file.bytes));
  let length = 0;
  while (length < file.bytes) {
    const count = fs.readSync(
      fd,
      buffer,
      0,
      Math.min(buffer.length, file.bytes - length),
      null,
    );
    if (count === 0) refuse(`"${file.name}" changed while it was read`);
    const step = buffer.subarray(0, count);
    sha256.update(step);
    blob?.update(step);
    kept?.set(step, length);
    length += count;
    progress(count);
  }
  const found = {
    sha256: sha256.digest("hex"),
    gitBlobSha1: blob?.digest("hex") ?? null,
  };
  if (file.sha256 !== undefined && found.sha256 !== file.sha256) {
    refuse(
      `"${file.name}" is not the declared file: its SHA-256 is ${found.sha256}, expected ${file.sha256}`,
    );
  }
  if (
    file.gitBlobSha1 !== undefined && found.gitBlobSha1 !== file.gitBlobSha1
  ) {
    refuse(
      `"${file.name}" is not the declared file: its Git blob id is ${found.gitBlobSha1}, expected ${file.gitBlobSha1}`,
    );
  }
  return found;
}

function readAt(fd: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let count = 0;
  while (count < length) {
    const read = fs.readSync(fd, bytes, count, length - count, offset + count);
    if (read === 0) refuse(`"${WEIGHTS_FILE}" changed while it was read`);
    count += read;
  }
  return bytes;
}

function identityOf(stat: fs.BigIntStats): FileIdentity {
  const { dev, ino, nlink, size, mtimeMs, ctimeMs } = stat;
  return { dev, ino, links: nlink, size, mtimeMs, ctimeMs };
}

function requireSame(
  name: string,
  before: FileIdentity,
  after: FileIdentity,
): void {
  for (
    const key of ["dev", "ino", "links", "size", "mtimeMs", "ctimeMs"] as const
  ) {
    if (before[key] !== after[key]) {
      refuse(`"${name}" changed while it was verified or loaded`);
    }
  }
}
