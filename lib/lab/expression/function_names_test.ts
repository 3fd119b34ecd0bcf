import assert from "node:assert/strict";
import {
  FUNCTION_NAMES,
  FUNCTION_PARAMETERS,
  isFunctionName,
} from "./function_names.ts";

Deno.test("FUNCTION_NAMES has every function of FUNCTION_PARAMETERS", () => {
  assert.deepEqual([...FUNCTION_NAMES], Object.keys(FUNCTION_PARAMETERS));
});

Deno.test("isFunctionName() knows the two functions alone", () => {
  assert.ok(FUNCTION_NAMES.every(isFunctionName));
  for (const text of ["", "Clamp", "clamp ", "toString", "__proto__"]) {
    assert.equal(isFunctionName(text), false);
  }
});
