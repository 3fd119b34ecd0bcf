import assert from "node:assert/strict";
import {
  HELD_OUT_RESULTS_V2,
  PUBLIC_RESULTS_V2,
} from "../../tests/lab_texts.ts";
import { HELD_OUT_CASES, PUBLIC_CASES } from "./cases.ts";

/** Cases, from results of a source that passes them all. */
function passed(results: readonly { readonly actual: number }[]) {
  return results.map(({ actual, ...one }) => ({ ...one, expected: actual }));
}

Deno.test("PUBLIC_CASES are the lab's four, HELD_OUT_CASES its eight", () => {
  assert.deepEqual(PUBLIC_CASES, passed(PUBLIC_RESULTS_V2));
  assert.deepEqual(HELD_OUT_CASES, passed(HELD_OUT_RESULTS_V2));
});
