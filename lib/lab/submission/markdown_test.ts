import assert from "node:assert/strict";
import { block, code, events, plain, table } from "./markdown.ts";
import type { SubmittedRun } from "./submitted_run.ts";

Deno.test("code() outgrows the backticks that it holds", () => {
  assert.deepEqual(
    ["a", "a`b", "`", "``a```", "", " a ", "a\n\u202e"].map((one) => code(one)),
    [
      "`a`",
      "``a`b``",
      "`` ` ``",
      "```` ``a``` ````",
      "`  `",
      "`  a  `",
      "`a\\u{a}\\u{202e}`",
    ],
  );
  assert.equal(code("汉".repeat(161)), `\`${"汉".repeat(159)}…\``);
  assert.equal(code("汉".repeat(160)), `\`${"汉".repeat(160)}\``);
});

Deno.test("block() can't be closed from inside", () => {
  assert.equal(block("```\n<b>\x1b"), "````text\n```\n<b>\\u{1b}\n````\n");
  assert.equal(block("a\n"), "```text\na\n```\n");
});

Deno.test("plain() leaves nothing that Markdown or HTML would take", () => {
  assert.equal(
    plain("<b>*a*_b_`c`[d](e)|#~&$\\"),
    "\\<b\\>\\*a\\*\\_b\\_\\`c\\`\\[d\\](e)\\|\\#\\~\\&\\$\\\\",
  );
});

Deno.test("table() keeps a cell's bars inside it", () => {
  assert.equal(
    table(["A", "B"], [["a|b", code("c|d")]]),
    "| A | B |\n| --- | --- |\n| a\\|b | `c\\|d` |\n",
  );
});

Deno.test("events() links to lines, whatever the folder is called", () => {
  const run = { audit: "../a b/(c)/audit.jsonl" } as SubmittedRun;
  assert.equal(
    events(run, 3, undefined, 12),
    "[3](../a%20b/%28c%29/audit.jsonl#L3), [12](../a%20b/%28c%29/audit.jsonl#L12)",
  );
});
