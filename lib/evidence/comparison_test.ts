import assert from "node:assert/strict";
import { LAB_WORDS } from "../cli/lab_task_words.ts";
import { generation, REPAIR, viewedRun } from "../../tests/viewed_run.ts";
import { compareRuns, refusedCount } from "./comparison.ts";

Deno.test("compareRuns() puts the same rows beside each other", async () => {
  using a = await viewedRun(REPAIR);
  using b = await viewedRun([
    generation(REPAIR[0], { input: 500, output: 12 }),
    generation("no", { input: 600, output: 3 }),
    generation(
      REPAIR[2]!.replace("hi if x > hi else x", "print(x)"),
      { input: 1, output: 1 },
    ),
  ], { source: "model", extension: "another prompt" });
  const { groups, differingConditions } = compareRuns(
    a.view(),
    b.view(),
    LAB_WORDS,
  );
  assert.deepEqual(differingConditions, []);
  const rows = (title: string) =>
    groups.find((group) => group.title === title)!.rows
      .map(({ name, values }) => [name, ...values]);
  assert.deepEqual(rows("Outcome"), [
    ["How it stopped", "finish_accepted", "invalid_proposal_limit"],
    ["Public cases", "4 of 4 pass", "0 of 4 pass"],
    ["Held-out cases", "8 of 8 pass", "2 of 8 pass"],
    ["Verified success", "yes", "no"],
  ]);
  assert.deepEqual(rows("Proposals"), [
    ["1", "✓ read toy_math.py: shown", "✓ read toy_math.py: shown"],
    ["2", "✓ test: 0 of 4 cases pass", "✗ not an action: invalid_json"],
    [
      "3",
      "✓ replace clamp: committed, lo if x < lo else hi if x > hi else x",
      "✗ replace clamp: expression_forbidden_node; " +
      "asked for lo if x < lo else print(x)",
    ],
    ["4", "✓ replace total: committed, unit * qty + fee", "—"],
    ["5", "✓ test: 4 of 4 cases pass", "—"],
    ["6", "✓ finish version 2: accepted", "—"],
  ]);
  assert.deepEqual(rows("Resources").slice(0, 4), [
    ["Proposals", "6", "3"],
    ["Refused", "0", "2"],
    ["Model calls", "0", "3"],
    ["Tokens in, out", "none counted", "1101, 16"],
  ]);
  assert.deepEqual(rows("Runs")[2], [
    "Trial",
    "not a trial",
    "extension: another prompt",
  ]);
  assert.equal(refusedCount(b.view().proposals), 2);
});

Deno.test("compareRuns() names each condition that the runs don't share", async () => {
  using run = await viewedRun([]);
  const view = run.view();
  const { manifest } = view;
  const other = {
    ...view,
    manifest: {
      ...manifest,
      digests: { ...manifest.digests, harness: "0".repeat(64) },
      limits: { ...manifest.limits, input_tokens: 1, run_ms: 1 },
      runtime: { ...manifest.runtime, deno: "3.0.0" },
    },
  };
  assert.deepEqual(compareRuns(view, other, LAB_WORDS).differingConditions, [
    "the digest of harness",
    "the limit input tokens",
    "the runtime's deno",
  ]);
});
