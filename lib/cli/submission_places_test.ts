import assert from "node:assert/strict";
import { placeFaults } from "./submission_places.ts";

const run = (name: string, source: string) => ({ name, runId: name, source });

Deno.test("placeFaults() finds nothing in a scripted baseline and a model's trial", () => {
  const baseline = run("b", "scripted");
  assert.deepEqual(placeFaults(baseline, null), []);
  assert.deepEqual(placeFaults(baseline, run("t", "model")), []);
});

Deno.test("placeFaults() says which run is in another's place", () => {
  for (const source of ["model", "stdio", "recorded"]) {
    assert.deepEqual(placeFaults(run("a", source), null), [
      '"a" is given as the baseline, and isn\'t the scripted one.',
    ]);
  }
  const baseline = run("c\x1b1", "scripted");
  assert.deepEqual(placeFaults(baseline, baseline), [
    '"c\\u{1b}1" is given as the trial, and no model was asked in it.',
    "Baseline and trial are one and the same run.",
  ]);
});
