import assert from "node:assert/strict";
import { LAB_WORDS } from "../cli/lab_task_words.ts";
import { REPAIR, viewedRun } from "../../tests/viewed_run.ts";
import {
  answeredBy,
  durationWords,
  editAsked,
  proposalWords,
  versionWords,
} from "./proposal_words.ts";
import { tokenFacts, tokenWords } from "./run_view_tokens.ts";

Deno.test("answeredBy() tells carried out, denied and unanswered apart", async () => {
  using run = await viewedRun([
    REPAIR[0],
    '{"action":"finish","version":0}',
    REPAIR[2],
    '{"action":"read","file":"/etc/passwd"}',
    { failed: "model_error", detail: "It left" },
  ]);
  const { proposals } = run.view();
  assert.deepEqual(proposals.map((one) => answeredBy(one, LAB_WORDS)), [
    { kind: "carried_out", words: "shown", why: null },
    {
      kind: "denied",
      words: "tests_not_passing",
      why: "Finish needs a passing public test of the current version",
    },
    { kind: "carried_out", words: "committed", why: null },
    {
      kind: "denied",
      words: "forbidden_file",
      why: String(proposals[3]!.answer?.observation["message"]),
    },
    { kind: "unanswered", words: "model_error", why: "It left" },
  ]);
  assert.deepEqual(proposals.map((one) => proposalWords(one, LAB_WORDS)), [
    "read toy_math.py",
    "finish version 0",
    "replace clamp",
    "read",
    "nothing",
  ]);
  assert.deepEqual(
    proposals.map(({ answer }) =>
      versionWords(answer?.observation ?? null, LAB_WORDS)
    ),
    ["0", "0", "0 → 1", "1", ""],
  );
  assert.deepEqual(proposals.map((one) => editAsked(one, LAB_WORDS)?.target), [
    undefined,
    undefined,
    "clamp",
    undefined,
    undefined,
  ]);
});

Deno.test("durationWords() changes its unit without a gap", () => {
  assert.deepEqual(
    [0, 0.4, 999.4, 999.5, 1_000, 59_949, 59_950, 60_000, 600_047].map(
      durationWords,
    ),
    [
      "0 ms",
      "0 ms",
      "999 ms",
      "1.0 s",
      "1.0 s",
      "59.9 s",
      "1 min 0 s",
      "1 min 0 s",
      "10 min 0 s",
    ],
  );
});

Deno.test("tokenFacts() takes counts, and nothing that is none", () => {
  const facts = { input_tokens: 5, output_tokens: 0 };
  const of = (source_facts: Record<string, never> | typeof facts) =>
    tokenFacts({ elapsed_ms: 1, source_facts });
  assert.deepEqual(of(facts), {
    input: 5,
    reused: 0,
    output: 0,
    ceilingReached: false,
    inputIds: null,
    outputIds: null,
  });
  for (
    const wrong of [
      { input_tokens: -1 },
      { input_tokens: 1.5 },
      { input_tokens: "5" },
      { output_tokens: null },
    ]
  ) assert.equal(of({ ...facts, ...wrong } as typeof facts), null);
  assert.deepEqual(
    of({ ...facts, input_ids: [1, "2"], raw_output_ids: [3] } as never),
    { ...of(facts), outputIds: [3] },
  );
  assert.equal(tokenFacts(undefined), null);
  assert.equal(tokenWords(of(facts)!), "5 tokens in, 0 out");
});
