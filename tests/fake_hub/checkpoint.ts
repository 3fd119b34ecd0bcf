// A declared checkpoint of a few megabytes whose content follows from its names.

import { createHash } from "node:crypto";
import type { Json } from "../../lib/agent/json.ts";

/** Files of a test checkpoint, and its declaration. */
export interface TestCheckpoint {
  readonly declaration: Json;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Where the test checkpoint pretends to come from. */
export const REPOSITORY = "tinycoder-tests/small";
/** Its revision. */
export const REVISION = "0123456789abcdef0123456789abcdef01234567";

/** Makes a checkpoint of files of these sizes, in bytes. */
export function testCheckpoint(
  sizes: Readonly<Record<string, number>>,
): TestCheckpoint {
  return declared(
    new Map(
      Object.entries(sizes).map((
        [name, bytes],
      ) => [name, content(name, bytes)]),
    ),
    { repository: REPOSITORY, revision: REVISION },
  );
}

/** Declares given contents; `*.safetensors` by SHA-256, others as the hub does. */
export function declared(
  contents: ReadonlyMap<string, Uint8Array>,
  source: { readonly repository: string; readonly revision: string },
): TestCheckpoint {
  return {
    declaration: {
      label: "test checkpoint",
      ...source,
      license: "Apache-2.0",
      files: [...contents].map(([name, bytes]) => ({
        name,
        bytes: bytes.length,
        ...(name.endsWith(".safetensors")
          ? { sha256: sha256(bytes) }
          : { git_blob_sha1: gitBlobSha1(bytes), sha256: sha256(bytes) }),
      })),
      token_ids: { begin: 0, pad: 0, end: [1] },
    },
    contents,
  };
}

/** SHA-256, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Git's blob id, in hexadecimal. */
export function gitBlobSha1(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes)
    .digest("hex");
}

/** Bytes that are neither constant nor periodic (xorshift). */
function content(name: string, bytes: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  let state = bytes + name.length + 0x9e3779b9;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer, 0, bytes);
}
