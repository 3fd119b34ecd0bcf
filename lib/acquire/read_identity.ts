// Lab Part 2: digests are taken of what is on the disk, in one pass and in
// constant memory.

import * as fs from "node:fs";
import type { PlannedFile } from "./checkpoint_plan.ts";
import { FileDigest, type ObservedIdentity } from "./file_digest.ts";
import { HEAD_BYTES } from "./wrong_content.ts";

/** What a file came to, with its first bytes for whoever must explain it. */
export interface ReadIdentity {
  readonly observed: ObservedIdentity;
  readonly head: Uint8Array;
}

/**
 * Reads a file from start to end in constant memory.
 *
 * @param onStep Given each piece; it is valid until the call returns.
 * @returns Null if there is no such plain file.
 * @throws The disk's error.
 */
export async function readIdentity(
  path: string,
  file: PlannedFile,
  onStep: (bytes: Uint8Array) => void | Promise<void> = () => {},
): Promise<ReadIdentity | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const entry = fs.lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined || !entry.isFile()) return null;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!fs.fstatSync(fd).isFile()) return null;
    const digest = new FileDigest(file);
    const buffer = new Uint8Array(READ_BYTES);
    let head = new Uint8Array(0);
    for (;;) {
      const count = fs.readSync(fd, buffer, 0, buffer.length, null);
      if (count === 0) break;
      const bytes = buffer.subarray(0, count);
      if (digest.bytes === 0) head = bytes.slice(0, HEAD_BYTES);
      digest.update(bytes);
      await onStep(bytes);
    }
    return { observed: digest.finish(), head };
  } finally {
    fs.closeSync(fd);
  }
}

/** Bytes read at once. */
const READ_BYTES = 1024 * 1024;
