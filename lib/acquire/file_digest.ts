// Lab Part 2: size, SHA-256 and, for the small files, Git's blob id, in one
// pass and in constant memory. This module runs in the acquire worker alone,
// where the system's own digests pay for their start-up.

import { createHash, type Hash } from "node:crypto";
import type { FileIdentity, PlannedFile } from "./checkpoint_plan.ts";

/** What a file's bytes came to. */
export interface ObservedIdentity {
  readonly bytes: number;
  readonly sha256: string;
  /** Git's blob id; null where no one asked for it. */
  readonly gitBlobSha1: string | null;
}

/** Digests of one file, fed in order. */
export class FileDigest {
  readonly #sha256: Hash = createHash("sha256");
  readonly #blob: Hash | null;
  #bytes = 0;

  /**
   * @param file Git's blob id begins with the size, so that the pinned size
   *   stands for the real one until both are compared.
   */
  constructor(file: PlannedFile) {
    this.#blob = file.identity.gitBlobSha1 === undefined
      ? null
      : createHash("sha1").update(`blob ${file.bytes}\0`);
  }

  /** Bytes fed so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Feeds the next bytes. */
  update(bytes: Uint8Array): void {
    this.#sha256.update(bytes);
    this.#blob?.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Ends the digests. */
  finish(): ObservedIdentity {
    return {
      bytes: this.#bytes,
      sha256: this.#sha256.digest("hex"),
      gitBlobSha1: this.#blob?.digest("hex") ?? null,
    };
  }
}

/** Whether observed bytes are the pinned file. */
export function isPinnedFile(
  observed: ObservedIdentity,
  file: PlannedFile,
): boolean {
  const { sha256, gitBlobSha1 }: FileIdentity = file.identity;
  return observed.bytes === file.bytes &&
    (sha256 !== undefined || gitBlobSha1 !== undefined) &&
    (sha256 === undefined || observed.sha256 === sha256) &&
    (gitBlobSha1 === undefined || observed.gitBlobSha1 === gitBlobSha1);
}
