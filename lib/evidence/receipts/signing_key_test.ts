import assert from "node:assert/strict";
import {
  generateKeys,
  keyIdOf,
  KeyRefusal,
  publicKeyOf,
  readPrivateKey,
  readPublicKey,
} from "./signing_key.ts";

// RFC 8410, section 10: a private key and its public half.
const RFC_PRIVATE = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
`;
const RFC_PUBLIC = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`;

Deno.test("publicKeyOf() finds the public half of RFC 8410's key", async () => {
  assert.equal(
    await keyIdOf(await publicKeyOf(RFC_PRIVATE)),
    await keyIdOf(await readPublicKey(RFC_PUBLIC)),
  );
});

Deno.test("generateKeys() makes a pair that reads back, another each time", async () => {
  const { privatePem, publicPem } = await generateKeys();
  const message = new TextEncoder().encode("message");
  const key = await readPrivateKey(privatePem);
  const signature = await crypto.subtle.sign("Ed25519", key, message);
  const publicKey = await readPublicKey(publicPem);
  assert.ok(
    await crypto.subtle.verify("Ed25519", publicKey, signature, message),
  );
  assert.notEqual((await generateKeys()).privatePem, privatePem);
});

Deno.test("readPrivateKey() and readPublicKey() say what a file is instead", async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["", /^it isn't one PEM block$/],
    ["-----BEGIN PUBLIC KEY-----\n", /^it isn't one PEM block$/],
    [RFC_PUBLIC + RFC_PUBLIC, /^it isn't one PEM block$/],
    [RFC_PRIVATE, /^it is a "PRIVATE KEY", not a "PUBLIC KEY"$/],
    [RFC_PUBLIC.replace("MCow", "MCo"), /^its PEM block isn't base64$/],
    [RFC_PUBLIC.replace("VwAy", "VwBy"), /^it isn't an Ed25519 public key$/],
  ];
  for (const [text, message] of cases) {
    await assert.rejects(readPublicKey(text), (error) => {
      assert.ok(error instanceof KeyRefusal);
      assert.match(error.message, message);
      return true;
    });
  }
  await assert.rejects(
    readPrivateKey(RFC_PRIVATE.replaceAll("PRIVATE", "ENCRYPTED PRIVATE")),
    { message: "it is encrypted" },
  );
});

/** A public key's PEM text, from its 32 bytes in hexadecimal. */
function publicPemOf(point: string): string {
  const spki = Uint8Array.fromHex(`302a300506032b6570032100${point}`);
  return `-----BEGIN PUBLIC KEY-----\n${spki.toBase64()}\n-----END PUBLIC KEY-----\n`;
}

Deno.test("readPublicKey() refuses points for which everybody can sign", async () => {
  const ones = "f".repeat(60);
  const small = [
    "00".repeat(32),
    `01${"00".repeat(31)}`,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    `ec${ones}7f`,
    `ed${ones}7f`,
    `ee${ones}7f`,
  ];
  // The other sign of x.
  const signs = small.map((point) =>
    point.slice(0, 62) + (parseInt(point.slice(62), 16) | 0x80).toString(16)
  );
  for (const point of [...small, ...signs]) {
    await assert.rejects(
      readPublicKey(publicPemOf(point)),
      KeyRefusal,
      point,
    );
  }
  // RFC 8032, 7.1, test 1.
  await readPublicKey(publicPemOf(
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  ));
});
