import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { sha256, Sha256Stream } from "./sha256.ts";

Deno.test("sha256() agrees with FIPS 180-4's examples", () => {
  assert.equal(
    sha256(""),
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  assert.equal(
    sha256("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("sha256() agrees with Node's at every length around a block", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = new Uint8Array(length).map((_, index) => index * 7 + length);
    const expected = createHash("sha256").update(bytes).digest("hex");
    assert.equal(sha256(bytes), expected);
    const stream = new Sha256Stream();
    for (let at = 0; at < length; at += 13) {
      stream.update(bytes.subarray(at, at + 13));
    }
    assert.equal(stream.finish(), expected);
  }
});

Deno.test("sha256() takes a text as its UTF-8", () => {
  assert.equal(sha256("ü"), sha256(Uint8Array.of(0xc3, 0xbc)));
});
