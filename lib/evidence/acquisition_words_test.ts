import assert from "node:assert/strict";
import { TOLD_ACQUISITION } from "../../tests/told_model.ts";
import { acquisitionWords } from "./acquisition_words.ts";

Deno.test("acquisitionWords() tells time, bytes and window", () => {
  const words = (changed = {}) =>
    acquisitionWords({ acquisition: { ...TOLD_ACQUISITION, ...changed } });
  assert.equal(
    words(),
    "90 s, 999,597,691 bytes received; the trial began inside its window",
  );
  assert.equal(
    words({ payload_bytes: 0, within_window: false }),
    "90 s, copied; the trial began after its window",
  );
  assert.match(String(words({ elapsed_s: null })), /^a time that no clock/);
});

Deno.test("acquisitionWords() says nothing where a manifest doesn't", () => {
  assert.equal(acquisitionWords(null), null);
  assert.equal(acquisitionWords({ acquisition: null }), null);
});
