// Lab Part 2: sizes, Git blob identities and SHA-256 before anything is loaded.
// A file that is a link, has a second name, or changes while it is read or
// loaded is refused, whatever its bytes are.

import { createHash, type Hash } from "node:crypto";
import * as fs from "node:fs";
import type {
  CheckpointManifest,
  DeclaredFile,
} from "./checkpoint_manifest.ts";
import {
  type FileIdentity,
  identityOf,
  openDeclared,
  refuseUnexpectedFiles,
  requireSame,
} from "./declared_entries.ts";
import { refuse } from "./model_refusal.ts";
import { reading } from "./readable_file.ts";

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

function refuseLargeFiles(manifest: CheckpointManifest): void {
  for (const { name, bytes } of manifest.files) {
    const most = Object.hasOwn(MOST_BYTES, name) ? MOST_BYTES[name]! : Infinity;
    if (bytes > most) {
      refuse(`"${name}" has ${bytes} bytes: the most is ${most}`);
    }
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
