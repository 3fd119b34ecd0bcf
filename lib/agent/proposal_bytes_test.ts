import assert from "node:assert/strict";
import fc from "fast-check";
import { keepProposal, proposalBytes } from "./proposal_bytes.ts";

Deno.test("keepProposal() keeps UTF-8 as text, byte order mark and NUL too", () => {
  const text = '\ufeff{"a":"\0é\u{1f600}\ufffd"} ';
  assert.deepEqual(keepProposal(new TextEncoder().encode(text)), {
    proposal_text: text,
  });
  assert.deepEqual(keepProposal(new Uint8Array()), { proposal_text: "" });
});

Deno.test("keepProposal() keeps other bytes as base64", () => {
  assert.deepEqual(keepProposal(Uint8Array.of(0xff)), {
    proposal_base64: "/w==",
  });
  // A surrogate in UTF-8's shape, an overlong slash, a cut-off sequence.
  for (const bytes of [[0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xe2, 0x82]]) {
    assert.deepEqual(Object.keys(keepProposal(Uint8Array.from(bytes))), [
      "proposal_base64",
    ]);
  }
});

Deno.test("proposalBytes() gives back the bytes that keepProposal() kept", () => {
  const attempt = (bytes: Uint8Array) => ({
    ...keepProposal(bytes),
    elapsed_ms: 0,
  });
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    assert.deepEqual([...proposalBytes(attempt(bytes))], [...bytes]);
  }));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const bytes = new TextEncoder().encode(text);
    assert.deepEqual([...proposalBytes(attempt(bytes))], [...bytes]);
  }));
});

Deno.test("proposalBytes() refuses an attempt with no form, or with both", () => {
  const refused = {
    name: "TypeError",
    message: "An attempt carries exactly one form of a proposal",
  };
  assert.throws(() => proposalBytes({ elapsed_ms: 0 }), refused);
  assert.throws(
    () =>
      proposalBytes({ proposal_text: "", proposal_base64: "", elapsed_ms: 0 }),
    refused,
  );
});
