// Ed25519 keys as everybody's tools keep them: PKCS #8 and SPKI in PEM (RFC 5958,
// RFC 8410, RFC 7468).

import { decodeBase64 } from "../../system/base64.ts";
import { sha256 } from "../../system/sha256.ts";

/** Most bytes of a key file. */
export const MAX_KEY_BYTES = 4_096;

/** A key that can't be used; the message says why. */
export class KeyRefusal extends Error {
  override readonly name = "KeyRefusal";
}

/** A fresh pair of keys, as PEM files' texts. */
export interface KeyPairPem {
  readonly privatePem: string;
  readonly publicPem: string;
}

/** Makes a pair of Ed25519 keys. */
export async function generateKeys(): Promise<KeyPairPem> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    "Ed25519",
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  return {
    privatePem: pem(
      "PRIVATE KEY",
      new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey)),
    ),
    publicPem: pem(
      "PUBLIC KEY",
      new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
    ),
  };
}

/**
 * A private key from its PEM text.
 *
 * @throws {KeyRefusal} where it isn't an unencrypted Ed25519 key.
 */
export async function readPrivateKey(text: string): Promise<CryptoKey> {
  const der = readPem(text, "PRIVATE KEY");
  return await imported("pkcs8", der, "private", ["sign"]);
}

/**
 * A public key from its PEM text.
 *
 * @throws {KeyRefusal} where it isn't an Ed25519 key, or is one of the few for
 * which everybody can sign.
 */
export async function readPublicKey(text: string): Promise<CryptoKey> {
  const der = readPem(text, "PUBLIC KEY");
  const key = await imported("spki", der, "public", ["verify"], true);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", key));
  if (isOfSmallOrder(point)) {
    throw new KeyRefusal(
      "anybody can sign for it: its point has a small order",
    );
  }
  return key;
}

/** The public half of a private key. */
export async function publicKeyOf(privatePem: string): Promise<CryptoKey> {
  const der = readPem(privatePem, "PRIVATE KEY");
  const key = await imported("pkcs8", der, "private", ["sign"], true);
  const { kty, crv, x } = await crypto.subtle.exportKey("jwk", key);
  return await crypto.subtle.importKey(
    "jwk",
    { kty, crv, x } as JsonWebKey,
    "Ed25519",
    true,
    ["verify"],
  );
}

/** A public key's name: the SHA-256 of its SPKI bytes, in hexadecimal. */
export async function keyIdOf(publicKey: CryptoKey): Promise<string> {
  const spki = await crypto.subtle.exportKey("spki", publicKey);
  return sha256(new Uint8Array(spki));
}

/**
 * Whether a point's order divides 8: RFC 8032's verification, which multiplies
 * by it, then takes signatures that need no private key.
 */
function isOfSmallOrder(point: Uint8Array): boolean {
  // The last bit is the sign of x; y alone decides.
  const y = point.with(31, point[31]! & 0x7f).toHex();
  return SMALL_ORDER_Y.includes(y);
}

/** y of the points of order 1, 2, 4 and 8, and y + p where that fits. */
const SMALL_ORDER_Y: readonly string[] = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

async function imported(
  format: "pkcs8" | "spki",
  der: Uint8Array<ArrayBuffer>,
  kind: "private" | "public",
  uses: KeyUsage[],
  extractable = false,
): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey(
      format,
      der,
      "Ed25519",
      extractable,
      uses,
    );
  } catch (error) {
    throw new KeyRefusal(`it isn't an Ed25519 ${kind} key`, { cause: error });
  }
}

function pem(label: string, der: Uint8Array): string {
  const lines = der.toBase64().match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""]
    .join("\n");
}

function readPem(text: string, label: string): Uint8Array<ArrayBuffer> {
  const found = text.match(
    /^\s*-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----\s*$/,
  );
  if (found === null) throw new KeyRefusal("it isn't one PEM block");
  const [, foundLabel, body = ""] = found;
  if (foundLabel !== label) {
    throw new KeyRefusal(
      foundLabel === "ENCRYPTED PRIVATE KEY"
        ? "it is encrypted"
        : `it is a "${foundLabel}", not a "${label}"`,
    );
  }
  const der = decodeBase64(body.replace(/\s+/g, ""));
  if (der === undefined) throw new KeyRefusal("its PEM block isn't base64");
  return new Uint8Array(der);
}
