import assert from "node:assert/strict";
import { decodeBase64 } from "./base64.ts";

Deno.test("decodeBase64() takes the one spelling of each byte string", () => {
  for (
    const [text, bytes] of [
      ["", []],
      ["AA==", [0]],
      ["AAE=", [0, 1]],
      ["AAEC", [0, 1, 2]],
      ["+/+/", [251, 255, 191]],
    ] as const
  ) {
    assert.deepEqual(decodeBase64(text), Uint8Array.from(bytes));
  }
});

Deno.test("decodeBase64() refuses every other spelling", () => {
  for (
    const text of [
      "A",
      "AA",
      "AA=",
      "AA===",
      "AAE",
      "AB==",
      "AAF=",
      "AA==AA==",
      "A A==",
      "AA==\n",
      " AAEC",
      "AAEC\t",
      "-_-_",
      "====",
      "AAEÇ",
    ]
  ) {
    assert.equal(decodeBase64(text), undefined, JSON.stringify(text));
  }
});
