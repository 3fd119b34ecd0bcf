import assert from "node:assert/strict";
import { compareRuns } from "../evidence/comparison.ts";
import { HOSTILE, REPAIR, viewedRun } from "../../tests/viewed_run.ts";
import { paint } from "./colors.ts";
import { comparisonText } from "./compare.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { columns, PAGE_COLUMNS } from "./text_layout.ts";

Deno.test("comparisonText() keeps three columns on the page", async () => {
  using a = await viewedRun(REPAIR);
  using b = await viewedRun(HOSTILE, { source: "stdio", extension: "\x1b汉" });
  const comparison = compareRuns(a.view(), b.view(), LAB_WORDS);
  const text = comparisonText(comparison, "baseline", "trial", paint(false));
  const lines = text.split("\n");
  assert.equal(
    lines[0],
    "                     baseline                      trial",
  );
  assert.deepEqual(lines.filter((line) => columns(line) > PAGE_COLUMNS), []);
  assert(text.includes(`\
  3                  ✓ replace clamp: committed,   ✗ not an action: invalid_json
                     lo if x < lo else hi if x >
                     hi else x
`));
  assert(text.includes("extension: \\u{1b}汉"));
  assert(
    text.endsWith(`
  Both were made under the same instruction, contract, cases, harness, limits
  and runtime.
`),
  );
});
