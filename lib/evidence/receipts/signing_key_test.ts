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
