import assert from "node:assert/strict";
import {
  generation,
  HOSTILE,
  type MadeOf,
  type Proposed,
  REPAIR,
  UNSAFE_CHARACTER,
  viewedRun,
} from "../../tests/viewed_run.ts";
import {
  PINNED,
  TOLD_ACQUISITION,
  toldDeclaration,
} from "../../tests/told_model.ts";
import { answers } from "../lab/submission/answers.ts";
import { checklist } from "../lab/submission/checklist.ts";
import { failures } from "../lab/submission/origins.ts";
import { patches } from "../lab/submission/patches.ts";
import { predictionTable } from "../lab/submission/predictions.ts";
import { observedProperties } from "../lab/submission/properties.ts";
import { submission } from "../lab/submission/submission.ts";
import type { SubmittedRun } from "../lab/submission/submitted_run.ts";
import type { RecordedPredictions } from "../lab/predictions.ts";
import { submittedRun } from "./submitted_run.ts";

/** A run as a submission takes it, by the name `name`. */
async function submitted(
  name: string,
  proposed: readonly Proposed[],
  made: MadeOf = {},
): Promise<SubmittedRun> {
  using run = await viewedRun(proposed, made);
  const audit = `${name}/audit.jsonl`;
  return submittedRun(run.view(), { name, audit, fault: null });
}

const MODEL = {
  source: "model",
  coreTrial: true,
  model: { acquisition: TOLD_ACQUISITION },
  created: "2026-01-02T00:00:00.000Z",
  loaded: {
    elapsed_ms: 1,
    source_facts: { files: [{ name: "a", sha256: "0".repeat(64) }] },
  },
} as const;

/** A trial that reads, then fails in three ways, one of them twice. */
const FAILING = [
  REPAIR[0],
  "```json",
  REPAIR[3]!.replace('"version":1', '"version":0'),
  '{"action":"read","file":"/etc/passwd"}',
  '{"action":"test"}',
  '{"action":"finish","version":1}',
] as const;

const PREDICTED: RecordedPredictions = {
  number: 1,
  recorded: "2026-01-01T12:00:00.000Z",
  answers: {
    first_attempt_valid: "yes",
    both_repaired: "no",
    fails_first: "version",
    baseline_passes_anyway: "yes",
    forbidden_proposal: "It is <refused>",
  },
  supersedes_sha256: null,
  sha256: "0".repeat(64),
};

const ANY = { cases: {}, files: {} };

/** The boxes of a checklist, ticked or not. */
function boxes(text: string): boolean[] {
  return [...text.matchAll(/^- \[( |x)\]/gm)].map(([, mark]) => mark === "x");
}

/** What the evidence says of each prediction. */
function outcomes(text: string): string[] {
  return text.trim().split("\n").slice(-5)
    .map((line) => line.split(" | ").at(-1)!.replace(/ \|$/, ""));
}

/** One question's answer, up to its blank. */
function answer(text: string, number: number): string {
  return text.split(/^### /m)[number]!.split("> **Yours")[0]!;
}

Deno.test("submission() claims no model where there is no trial", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const parts = { baseline, trial: null, predictions: [], expected: ANY };
  const text = submission(parts);
  assert.equal(text.match(/\*\*Not run or blocked\.\*\*/g)?.length, 5);
  assert.equal(text.match(/not run or blocked/g)?.length, 4);
  assert.deepEqual(boxes(text), [
    false,
    true,
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
});

Deno.test("submission() passes no other source off as a model", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const trial = await submitted("trial", REPAIR, { source: "stdio" });
  const parts = { baseline, trial, predictions: [], expected: ANY };
  const text = submission(parts);
  assert.match(
    text,
    /\*\*The model stage is not run or blocked\.\*\* `trial` took its proposals from `stdio`/,
  );
  assert.match(
    answer(text, 2),
    /No model was called: the proposals of `trial`/,
  );
  assert.equal(boxes(text)[4], false);
  assert.deepEqual(outcomes(predictionTable(parts, [])), [
    "no model was called",
    "no model was called",
    "no model was called",
    "The baseline is a verified success; no model was called",
    "no model was called",
  ]);
  const uncalled = {
    ...await submitted("trial", FAILING, MODEL),
    final: { ...trial.final, model_calls: 0 },
  };
  assert.deepEqual(
    outcomes(predictionTable({ baseline, trial: uncalled }, [])),
    outcomes(predictionTable(parts, [])),
  );
  assert.match(
    submission({ ...parts, trial: uncalled }),
    /`trial` ended before a model was called/,
  );
});

Deno.test("submission() ticks what a core trial's evidence shows", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const trial = await submitted("trial", FAILING, MODEL);
  const parts = {
    baseline,
    trial,
    predictions: [PREDICTED],
    expected: ANY,
  };
  assert.deepEqual(boxes(checklist(parts)), [
    true,
    true,
    false,
    true,
    true,
    false,
    true,
    false,
  ]);
  const late = { ...PREDICTED, recorded: "2026-01-03T00:00:00.000Z" };
  assert.equal(boxes(checklist({ ...parts, predictions: [late] }))[0], false);
  const unverified = await submitted("trial", FAILING, {
    ...MODEL,
    loaded: { elapsed_ms: 1 },
  });
  assert.equal(boxes(checklist({ ...parts, trial: unverified }))[3], false);
  const other = { cases: { public_cases: "0".repeat(64) }, files: {} };
  assert.equal(boxes(checklist({ ...parts, expected: other }))[1], false);
  const broken = { ...trial, holds: false, fault: "audit.jsonl: it is cut" };
  assert.deepEqual(
    boxes(checklist({ ...parts, trial: broken })),
    Array(8).fill(false),
  );
  assert.match(
    submission({ ...parts, trial: broken }),
    /> \*\*The evidence of `trial` doesn't hold\.\*\* audit\.jsonl: it is cut\n/,
  );
  assert.match(
    answer(answers({ baseline, trial: broken }), 1),
    /In `trial`:\n\nNot shown: its evidence doesn't hold/,
  );
  const shown = "not shown: the evidence doesn't hold";
  assert.deepEqual(
    outcomes(predictionTable({ baseline, trial: broken }, [])),
    [
      shown,
      shown,
      shown,
      "The baseline is a verified success; the trial's evidence doesn't hold",
      shown,
    ],
  );
  assert.equal(
    outcomes(predictionTable({ baseline: broken, trial }, []))[3],
    shown,
  );
});

Deno.test("answers() counts the acquisition among a trial's times", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const trial = await submitted("trial", FAILING, MODEL);
  const sixth = answer(answers({ baseline, trial }), 6);
  assert.match(sixth, /\| time, acquisition \| none \| 90\.000 s \|/);
  assert.equal(sixth.match(/acquisition/g)?.length, 1);
});

Deno.test("answers() sets estimates beside what was measured", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const declared = {
    ...toldDeclaration(PINNED, TOLD_ACQUISITION),
    agreed_to:
      "Memory           about 4.5 GB\nDisk             about 100 MB\n" +
      "Time             at most 10 minutes",
  };
  const trial = await submitted("trial", FAILING, {
    ...MODEL,
    model: declared,
  });
  const sixth = answer(answers({ baseline, trial }), 6);
  assert.deepEqual(sixth.split("In `trial`")[1]?.split("\n").slice(2, 9), [
    "| What | Estimated | Measured |",
    "| --- | --- | --- |",
    "| memory | about 4.5 GB | not measured |",
    "| disk | about 100 MB | not measured |",
    "| download | 999,597,691 bytes | 999,597,691 bytes |",
    "| time, total | at most 10 minutes | 0.060 s |",
    "| time, acquisition | none | 90.000 s |",
  ]);
  assert.match(sixth, /`baseline`, whose manifest keeps no estimate:/);
});

Deno.test("answers() asks nothing about what isn't there", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const silent = {
    ...await submitted("trial", [REPAIR[0]], MODEL),
    proposals: [],
  };
  const asked = (trial: SubmittedRun | null) =>
    answers({ baseline, trial }).split(/^### /m).slice(1)
      .map((text) => text.includes("**Yours to write.**"));
  const without = [true, false, true, false, true, true, true];
  assert.deepEqual(asked(silent), without);
  assert.deepEqual(asked(null), without);
  assert.match(
    answer(answers({ baseline, trial: silent }), 2),
    /\n\nThere is no output to show\.\n\n$/,
  );
  const half = await submitted("trial", REPAIR.slice(0, 3), MODEL);
  assert.equal(asked(half)[3], true);
  assert.equal(asked(await submitted("trial", REPAIR, MODEL))[3], true);
});

Deno.test("submission() asks of an extension why no core trial was run", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const parts = { baseline, predictions: [], expected: ANY };
  const trial = await submitted("trial", FAILING, {
    ...MODEL,
    coreTrial: false,
    extension: "another model",
  });
  const text = submission({ ...parts, trial });
  assert.equal(text.match(/Why was no core trial run\?/g)?.length, 2);
  assert.match(text, /\*\*Partial\.\*\* `trial` is not the core trial\.\n/);
  assert.match(text, /Say so, and label this partial; then tick it\./);
  assert.equal(boxes(text)[4], false);
  const core = await submitted("trial", FAILING, MODEL);
  assert.doesNotMatch(
    submission({ ...parts, trial: core }),
    /no core trial|\*\*Partial/,
  );
});

Deno.test("failures() sorts by origin", async () => {
  const trial = await submitted("trial", FAILING, MODEL);
  assert.deepEqual(
    failures(trial.proposals).map(({ proposal, code, origin }) => [
      proposal.number,
      code,
      origin,
    ]),
    [
      [2, "invalid_json", "schema adherence"],
      [4, "forbidden_file", "permission checks"],
      [6, "tests_not_passing", "testing"],
    ],
  );
  const lost = await submitted("t", [
    { failed: "time_limit", detail: "call_expired" },
  ], MODEL);
  assert.deepEqual(
    failures(lost.proposals).map(({ code, origin }) => [code, origin]),
    [["time_limit", "resource limits"]],
  );
});

Deno.test("patches() evaluates each committed version on all cases", async () => {
  const { proposals } = await submitted("t", [
    REPAIR[0],
    REPAIR[2]!.replace("hi if x > hi else x", "hi"),
    REPAIR[3],
  ]);
  assert.deepEqual(
    patches(proposals).map(({ version, target, failing }) => [
      version,
      target,
      failing?.public.length,
      failing?.held_out.length,
    ]),
    [[1, "clamp", 2, 5], [2, "total", 0, 1]],
  );
});

Deno.test("observedProperties() claims only what events show", async () => {
  const names = (run: SubmittedRun) =>
    observedProperties(run).map(({ property }) => property);
  const baseline = await submitted("baseline", REPAIR);
  assert.deepEqual(names(baseline), [
    "The controller could not leave its room",
    "The source was read before the first edit",
    "Each commit had a write-ahead intent with the same digest",
    "The finish was accepted for the exact bytes that had passed",
    "Stop reason and final evaluation were recorded apart",
    "No model was called",
  ]);
  assert.deepEqual(names(await submitted("t", FAILING, MODEL)), [
    "The controller could not leave its room",
    "The source was read before the first edit",
    "Each commit had a write-ahead intent with the same digest",
    "No denial changed source or version",
    "A finish without a passing test was refused",
    "Stop reason and final evaluation were recorded apart",
  ]);
  assert.deepEqual(
    names({ ...baseline, events: [], enforced: {}, final: null }),
    [],
  );
});

Deno.test("answers() tells recovery from repetition", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const told = async (proposed: readonly Proposed[]) => {
    const trial = await submitted("trial", proposed, MODEL);
    return answer(answers({ baseline, trial }), 5);
  };
  assert.match(await told(["no", "no"]), /repeated the same bytes/);
  assert.match(await told(["no", "nope"]), /different bytes, the same code/);
  assert.match(await told(["no", REPAIR[0]]), /different, and carried out/);
  assert.match(
    await told(["no", '{"action":"test"}']),
    /different, and failed with `read_required`/,
  );
});

Deno.test("answers() shows the first failure whole, with the ceiling beside it", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const trial = await submitted("trial", [
    generation("```json\n{\u202e", { input: 9, output: 128, ceiling: true }),
  ], MODEL);
  const text = answer(answers({ baseline, trial }), 2);
  assert.match(
    text,
    /first failure is proposal 1, `invalid_json` .*; the token ceiling was reached/,
  );
  assert(text.includes("````text\n```json\n{\\u{202e}\n````\n"));
});

Deno.test("answers() lets no hostile text out of its place", async () => {
  const baseline = await submitted("baseline", REPAIR);
  const trial = await submitted("trial", HOSTILE, MODEL);
  const text = answers({ baseline, trial });
  assert.equal(UNSAFE_CHARACTER.exec(text), null);
  const outside = text.replace(/^(`{3,})text\n[^]*?^\1$/gm, "")
    .replace(/(`+)[^`](?:[^]*?[^`])?\1(?!`)/g, "");
  assert.doesNotMatch(outside, /<(?!br)/);
});

Deno.test("predictionTable() sets the counting set against the outcome", async () => {
  const baseline = await submitted("baseline", REPAIR, {
    created: "2026-01-01T00:00:00.000Z",
  });
  const trial = await submitted("trial", FAILING, MODEL);
  const late = {
    ...PREDICTED,
    number: 2,
    recorded: "2026-01-03T00:00:00.000Z",
    answers: { ...PREDICTED.answers, fails_first: "arithmetic" },
  };
  const text = predictionTable({ baseline, trial }, [PREDICTED, late]);
  assert.equal(
    text.split("\n\n|")[0],
    "Set 1 of 2, recorded 2026-01-01T12:00:00.000Z, " +
      "**not before** the baseline and before " +
      "the trial began; times are as the machine told them.\n\n" +
      "The other sets, which don't count here:\n\n" +
      "- Set 2, recorded 2026-01-03T00:00:00.000Z, **not before** the " +
      "baseline and **not before** the trial began: question 3 arithmetic " +
      "(set 1: version).",
  );
  const rows = text.trim().split("\n").slice(-5)
    .map((line) => line.split(" | ").slice(1).join(" | "));
  assert.deepEqual(rows, [
    "yes | Yes ([5](trial/audit.jsonl#L5)) |",
    "no | No: 8 of 12 cases pass after 6 proposals |",
    "version | Format following: `invalid_json`, at proposal 2 ([8](trial/audit.jsonl#L8)) |",
    "yes | The baseline is a verified success; of the trial's 6 proposals 3 failed |",
    "It is \\<refused\\> | `forbidden_file` ([17](trial/audit.jsonl#L17)) |",
  ]);
  assert.match(
    predictionTable({ baseline, trial }, [late]),
    /\*\*not before\*\* the trial began/,
  );
});
