// Bytes are kept and hashed, never a text that
// was decoded and encoded again.

import type { Attempt } from "./source.ts";

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Proposal bytes as an attempt keeps them: text where they are UTF-8. */
export function keepProposal(
  bytes: Uint8Array,
): { proposal_text: string } | { proposal_base64: string } {
  try {
    return { proposal_text: strict.decode(bytes) };
  } catch {
    return { proposal_base64: bytes.toBase64() };
  }
}

/**
 * The exact bytes that {@link keepProposal} kept.
 *
 * @throws {TypeError} if the attempt carries no proposal, or both forms of one.
 */
export function proposalBytes(attempt: Attempt): Uint8Array {
  const { proposal_text: text, proposal_base64: base64 } = attempt;
  if (text !== undefined && base64 === undefined) return encoder.encode(text);
  if (base64 !== undefined && text === undefined) {
    return Uint8Array.fromBase64(base64);
  }
  throw new TypeError("An attempt carries exactly one form of a proposal");
}
