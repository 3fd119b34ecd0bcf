// A key that signs what is fuzzed. It is written down here, so it is worth
// nothing anywhere else.

import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey } from "node:crypto";

/** The RFC 8410 head of an Ed25519 private key, before its 32 bytes. */
const HEAD = "302e020100300506032b657004220420";

/** Both halves of the key. */
export const FUZZ_KEY: {
  readonly pkcs8: Uint8Array<ArrayBuffer>;
  readonly spki: Uint8Array<ArrayBuffer>;
} = made();

function made() {
  const pkcs8 = Uint8Array.fromHex(HEAD + "07".repeat(32));
  const key = {
    key: Buffer.from(pkcs8),
    format: "der",
    type: "pkcs8",
  } as const;
  const spki = createPublicKey(createPrivateKey(key))
    .export({ format: "der", type: "spki" });
  return { pkcs8, spki: Uint8Array.from(spki) };
}
