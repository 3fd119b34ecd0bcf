import assert from "node:assert/strict";
import {
  TASK_SHA256,
  TOY_MATH,
  TOY_MATH_SHA256,
} from "../../tests/lab_texts.ts";
import type { Sha256 } from "../system/sha256.ts";
import { initialState, sameVersion, sourceText } from "./lab_state.ts";
import { INITIAL_EXPRESSIONS } from "./managed_files.ts";

Deno.test("initialState() is the fresh workspace, nothing read or tested", () => {
  assert.deepEqual(initialState(), {
    expressions: INITIAL_EXPRESSIONS,
    source: { version: 0, sha256: TOY_MATH_SHA256[0] },
    taskSha256: TASK_SHA256,
    sourceRead: false,
    lastTest: null,
    finish: null,
    openEdit: null,
  });
  assert.notEqual(initialState(), initialState());
});

Deno.test("sourceText() is the whole source", () => {
  assert.equal(sourceText(initialState()), TOY_MATH[0]);
});

Deno.test("sameVersion() wants number and digest, and both versions", () => {
  const one = (version: number, digest: string) => ({
    version,
    sha256: digest as Sha256,
  });
  assert.deepEqual(
    [
      sameVersion(one(1, "a"), { ...one(1, "a") }),
      sameVersion(one(1, "a"), one(2, "a")),
      sameVersion(one(1, "a"), one(1, "b")),
      sameVersion(one(1, "a"), null),
      sameVersion(null, one(1, "a")),
      sameVersion(null, null),
    ],
    [true, false, false, false, false, false],
  );
});
