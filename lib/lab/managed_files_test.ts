import assert from "node:assert/strict";
import { EXPRESSIONS, TASK_TXT, TOY_MATH } from "../../tests/lab_texts.ts";
import {
  expressionTexts,
  INITIAL_EXPRESSIONS,
  INITIAL_SOURCE,
  TASK_TEXT,
} from "./managed_files.ts";

Deno.test("TASK_TEXT and INITIAL_SOURCE are the lab's bytes", () => {
  assert.equal(TASK_TEXT, TASK_TXT);
  assert.equal(INITIAL_SOURCE, TOY_MATH[0]);
});

Deno.test("expressionTexts() gives both expressions as written", () => {
  assert.deepEqual(expressionTexts(INITIAL_EXPRESSIONS), EXPRESSIONS[0]);
});
