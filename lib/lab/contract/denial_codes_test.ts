import assert from "node:assert/strict";
import {
  DENIALS,
  DISPATCH_DENIALS,
  EXPRESSION_DENIALS,
  INTERRUPTIONS,
  PROPOSAL_DENIALS,
} from "./denial_codes.ts";

Deno.test("DENIALS holds each code once, in words of one line", () => {
  const groups = [
    PROPOSAL_DENIALS,
    EXPRESSION_DENIALS,
    DISPATCH_DENIALS,
    INTERRUPTIONS,
  ].flatMap((group) => Object.keys(group));
  assert.deepEqual(Object.keys(DENIALS), groups);
  assert.equal(new Set(groups).size, groups.length);
  for (const [code, meaning] of Object.entries(DENIALS)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    assert.match(meaning, /^\S[ -~]+[^.]$/);
  }
});
