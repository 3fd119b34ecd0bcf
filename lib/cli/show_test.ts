import assert from "node:assert/strict";
import {
  generation,
  HOSTILE,
  REPAIR,
  UNSAFE_CHARACTER,
  viewedRun,
} from "../../tests/viewed_run.ts";
import { TOLD_ACQUISITION } from "../../tests/told_model.ts";
import {
  recoverLabRun,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { paint } from "./colors.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { runReport } from "../evidence/report/run_report.ts";
import type { RunView } from "../evidence/run_view.ts";
import { showText } from "./show.ts";
import { columns, PAGE_COLUMNS } from "./text_layout.ts";

function shown(view: RunView, full = false, color = false): string {
  return showText(view, "run", LAB_WORDS, { colors: paint(color), full });
}

Deno.test("showText() shows the baseline on one page", async () => {
  using run = await viewedRun(REPAIR);
  const view = run.view();
  assert.equal(
    shown(view),
    `\
Run 00000000-0000-4000-8000-000000000000
  Task              Lab 16: repair two integer expressions
  Proposals from    the scripted baseline; no model was called
  When              2026-01-01 00:00:00 UTC
  With              tinycoder 0.1.0, deno 2.9.4, linux, x86_64

   #   proposed               verdict                      version       time
 ✓  1  read toy_math.py       shown                        0             7 ms
 ✓  2  test                   0 of 4 cases pass            0             9 ms
 ✓  3  replace clamp          committed                    0 → 1        11 ms
       - x
       + lo if x < lo else hi if x > hi else x
 ✓  4  replace total          committed                    1 → 2        11 ms
       - unit + qty + fee
       + unit * qty + fee
 ✓  5  test                   4 of 4 cases pass            2             9 ms
 ✓  6  finish version 2       accepted                     2             7 ms

  How it stopped    finish_accepted: a finish was accepted
  What passes       public 4 of 4, held-out 8 of 8; final evaluation performed
  Verified success  yes

  Proposals         6, 0 refused
  Time              65 ms in all, edit 6 ms, evaluation 2 ms, generation 6 ms,
                    test 2 ms, validation 6 ms, other 43 ms
  Evidence          run/: 32 records, head ${view.audit.head.slice(0, 16)}…
                    Derive it again: tinycoder verify run
`,
  );
});

Deno.test("showText() keeps to the page and escapes whatever was proposed", async () => {
  using run = await viewedRun([...HOSTILE.slice(0, 5), "汉".repeat(600)], {
    source: "stdio",
    extension: "\x1b[2J\u202e" + "long ".repeat(60),
  });
  for (const full of [false, true]) {
    const text = shown(run.view(), full);
    const wide = text.split("\n").filter((line) =>
      columns(line) > PAGE_COLUMNS
    );
    assert.deepEqual(wide, []);
    assert.equal(UNSAFE_CHARACTER.exec(text), null);
    assert(text.includes("\\u{202e}"));
    assert(text.includes("汉汉汉"));
  }
});

Deno.test("showText() colours only where it is told to, and says the same", async () => {
  using run = await viewedRun(HOSTILE);
  const plain = shown(run.view());
  const colored = shown(run.view(), false, true);
  assert(!plain.includes("\x1b"));
  assert(colored.includes("\x1b[31m✗\x1b[0m"));
  // deno-lint-ignore no-control-regex -- colours
  assert.equal(colored.replaceAll(/\x1b\[\d+m/g, ""), plain);
});

Deno.test("showText() tells tokens, and a ceiling beside the denial", async () => {
  using run = await viewedRun([
    generation(REPAIR[0], { input: 500, output: 12 }),
    generation("{", { input: 612, reused: 384, output: 128, ceiling: true }),
    { failed: "time_limit", detail: "call_expired" },
  ], {
    source: "model",
    coreTrial: true,
    model: {
      repository: "a/b",
      revision: "c",
      acquisition: TOLD_ACQUISITION,
    },
  });
  const text = shown(run.view());
  assert.match(
    text,
    /Model {13}a\/b, c\n {2}Trial {13}the core trial\n {2}Acquisition {7}90 s, /,
  );
  assert.match(text, / {7}500 tokens in, 12 out\n/);
  assert.match(
    text,
    / ✗ {2}2 {2}not an action.*\n.*\n.*\n {7}612 tokens in, 384 of them reused, 128 out; the token ceiling was reached\n/,
  );
  assert.match(
    text,
    / – {2}3 {2}nothing {16}time_limit .*\n {7}a call's deadline passed\n/,
  );
  assert.match(
    text,
    /How it stopped {4}time_limit: a deadline passed \(a call's deadline passed\)/,
  );
  assert.match(text, /3, 1 refused, 3 model calls/);
});

Deno.test("showText() with full shows prompts once, raw output and observations", async () => {
  using run = await viewedRun([REPAIR[0], "```json\n{}\n```"]);
  const text = shown(run.view(), true);
  const count = (piece: string) => text.split(piece).length - 1;
  assert.equal(count("│ You repair a tiny integer-expression repository."), 1);
  assert.equal(count("system message (event 5): the same as before"), 1);
  assert(text.includes("  │ ```json\n  │ {}\n  │ ```\n"));
  assert(text.includes('  │ {"error":"invalid_json","message":"Code fence'));
  assert(!text.includes("\n\n\n"));
});

Deno.test("showText() shows a run whose process died, before and after recovery", async () => {
  using run = await viewedRun(REPAIR);
  cutAfter(run.folder, "edit_intent", 2);
  const before = shown(run.view());
  assert.match(before, / – {2}4 {2}replace total {10}not answered/);
  assert.match(before, /How it stopped {4}no record says how\n/);
  assert.match(before, /Verified success {2}no final report says so\n/);
  assert.match(before, /tinycoder recover run/);

  await recoverLabRun(unflushedFiles, run.folder);
  const after = shown(run.view());
  assert.match(
    after,
    /harness_error: its process ended from outside, or died\n/,
  );
  assert.match(after, /Verified success {2}no: a recovered run never/);
  assert.match(after, /· version 2 is on disk, found by its digest\n/);
  assert.match(
    after,
    /Evidence {10}run\/: 18 records, head [0-9a-f]{16}…; 5 more by recovery/,
  );
});

Deno.test("showText() doesn't say that a run died whose records came to their end", async () => {
  using run = await viewedRun(REPAIR);
  Deno.removeSync(`${run.folder}/final.json`);
  const page = () => runReport(run.view(), "run", LAB_WORDS);
  const pageBefore = page();
  const before = shown(run.view());
  assert.match(
    before,
    /Unfinished {8}Its records came to their end, but there is no final report/,
  );
  await recoverLabRun(unflushedFiles, run.folder);
  const after = shown(run.view());
  assert.match(after, /Recovered {9}Its records had come to their end; recov/);
  for (const text of [before, after, pageBefore, page()]) {
    assert.match(text, /records (of this run )?(had come|came) to their end/);
    assert.doesNotMatch(text, /died/);
  }
});

Deno.test("showText() says of each failing case which kind it is", async () => {
  using run = await viewedRun([REPAIR[0], REPAIR[2]]);
  const failing = shown(run.view()).match(/✗ (public|held-out) total\(/g);
  assert.deepEqual(failing?.map((line) => line.split(" ")[1]), [
    "public",
    "public",
    "held-out",
    "held-out",
    "held-out",
    "held-out",
  ]);
});

Deno.test("showText() says what doesn't hold, and shows the rest", async () => {
  using run = await viewedRun(REPAIR);
  const path = `${run.folder}/audit.jsonl`;
  const audit = Deno.readTextFileSync(path);
  const lines = audit.split("\n");
  lines[6] = lines[6]!.replace('"test"', '"tess"');
  Deno.writeTextFileSync(path, lines.join("\n"));
  const text = shown(run.view());
  assert.match(text, / ✓ {2}1 {2}read toy_math.py/);
  assert.match(text, /Doesn't hold {6}audit.jsonl, line 8: /);
  assert.match(text, /What passes {7}claimed: public 4 of 4, held-out 8 of 8;/);
  assert.match(text, /success {2}claimed, but the evidence doesn't hold\n/);
});

Deno.test("showText() says of a proposal before a broken record that it wasn't read further", async () => {
  for (
    const [broken, says] of [
      ["proposal_received", / – {2}3 {2}not read further {7}not read further /],
      ["proposal_admitted", / – {2}3 {2}not read further {7}not read further /],
      ["edit_intent", / – {2}3 {2}replace clamp {10}not read further /],
    ] as const
  ) {
    using run = await viewedRun(REPAIR);
    const path = `${run.folder}/audit.jsonl`;
    const lines = Deno.readTextFileSync(path).split("\n");
    const at = lines.findIndex((line) =>
      line.includes(`"event":"${broken}"`) &&
      line.includes('"proposal_number":3')
    );
    lines[at] = lines[at]!.replace('"event"', '"evenT"');
    Deno.writeTextFileSync(path, lines.join("\n"));
    assert.match(shown(run.view()), says);
  }
});

Deno.test("showText() calls a proposal that nobody came to judge no action, nor none", async () => {
  using run = await viewedRun(REPAIR);
  cutAfter(run.folder, "proposal_received", 3);
  assert.match(shown(run.view()), / – {2}3 {2}not judged {13}not answered /);
});

/** Cuts a run off as a death after its nth event of a type would. */
function cutAfter(folder: string, event: string, nth: number): void {
  const path = `${folder}/audit.jsonl`;
  const lines = Deno.readTextFileSync(path).split("\n");
  const at = lines.flatMap((line, index) =>
    line.includes(`"event":"${event}"`) ? [index] : []
  )[nth - 1]!;
  Deno.writeTextFileSync(path, `${lines.slice(0, at + 1).join("\n")}\n`);
  Deno.removeSync(`${folder}/final.json`);
}
