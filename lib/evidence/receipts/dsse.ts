// DSSE 1.0.2: signs bytes together with what they are, so that a signature for
// one kind of statement can't be passed off as another's.

import { decodeBase64 } from "../../system/base64.ts";
import type { Json, JsonObject } from "../../agent/json.ts";

/** Most signatures of an envelope: each is tried. */
export const MAX_SIGNATURES = 16;

/** A signed payload, as its JSON file holds it. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  readonly signatures: readonly EnvelopeSignature[];
}

/** One signature; the key's name is a hint and proves nothing. */
export interface EnvelopeSignature {
  readonly keyid: string | null;
  readonly sig: Uint8Array;
}

/** The bytes that are signed: DSSE's pre-authentication encoding. */
export function preAuthEncoding(
  payloadType: string,
  payload: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const type = encoder.encode(payloadType);
  const head = encoder.encode(
    `DSSEv1 ${type.length} ${payloadType} ${payload.length} `,
  );
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

/**
 * Signs a payload.
 *
 * @param key An Ed25519 private key.
 * @param keyid Names the key for whoever verifies.
 */
export async function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  key: CryptoKey,
  keyid: string,
): Promise<Envelope> {
  const signed = preAuthEncoding(payloadType, payload);
  const sig = new Uint8Array(await crypto.subtle.sign("Ed25519", key, signed));
  return { payloadType, payload, signatures: [{ keyid, sig }] };
}

/** Whether one of the signatures is this Ed25519 key's, over this payload. */
export async function isSignedBy(
  { payloadType, payload, signatures }: Envelope,
  key: CryptoKey,
): Promise<boolean> {
  const signed = preAuthEncoding(payloadType, payload);
  for (const { sig } of signatures) {
    const bytes = new Uint8Array(sig);
    if (await crypto.subtle.verify("Ed25519", key, bytes, signed)) return true;
  }
  return false;
}

/** An envelope's JSON form. */
export function envelopeJson(envelope: Envelope): JsonObject {
  return {
    payload: envelope.payload.toBase64(),
    payloadType: envelope.payloadType,
    signatures: envelope.signatures.map(({ keyid, sig }) => ({
      ...(keyid === null ? {} : { keyid }),
      sig: sig.toBase64(),
    })),
  };
}

/** Reads an envelope, or says why it is none; unknown fields are ignored. */
export function readEnvelope(value: JsonObject): Envelope | string {
  const { payload, payloadType, signatures } = value;
  const bytes = anyBase64(payload);
  if (bytes === null) return "Its payload isn't base64";
  if (typeof payloadType !== "string") return "It names no payload type";
  if (!Array.isArray(signatures)) return "It has no list of signatures";
  if (signatures.length > MAX_SIGNATURES) {
    return `It has over ${MAX_SIGNATURES} signatures`;
  }
  const read: EnvelopeSignature[] = [];
  for (const signature of signatures as readonly Json[]) {
    if (!isObject(signature)) return "A signature isn't an object";
    const { keyid = null, sig } = signature;
    const sigBytes = anyBase64(sig);
    if (sigBytes === null) return "A signature isn't base64";
    if (keyid !== null && typeof keyid !== "string") {
      return "A signature's keyid isn't a text";
    }
    read.push({ keyid, sig: sigBytes });
  }
  return read.length === 0
    ? "It has no signature"
    : { payloadType, payload: bytes, signatures: read };
}

/** DSSE takes the standard and the URL-safe alphabet alike. */
function anyBase64(text: Json | undefined): Uint8Array | null {
  if (typeof text !== "string") return null;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return decodeBase64(standard) ?? null;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
