// SHA-256 (FIPS 180-4), synchronous: nothing may run between the controller's
// last check and its rename, so the Web Crypto promise won't do, and node:crypto
// costs 15–35 ms at start-up.

import { sha256 as digest } from "@noble/hashes/sha2.js";

/** A SHA-256 digest, as 64 lower-case hexadecimal digits. */
export type Sha256 = string & { readonly sha256: unique symbol };

const encoder = new TextEncoder();

/** The SHA-256 of bytes, or of a text's UTF-8. */
export function sha256(input: Uint8Array | string): Sha256 {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  return digest(bytes).toHex() as Sha256;
}

/** SHA-256 of bytes that come in pieces. */
export class Sha256Stream {
  readonly #hash = digest.create();

  /** Feeds the next bytes. */
  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Ends the digest; nothing can be fed after it. */
  finish(): Sha256 {
    return this.#hash.digest().toHex() as Sha256;
  }
}
