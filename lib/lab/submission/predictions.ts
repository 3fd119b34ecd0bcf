// Lab Part 1: five predictions, and what the evidence says of each.

import {
  PREDICTION_QUESTIONS,
  type RecordedPredictions,
} from "../predictions.ts";
import { counted } from "../../system/counted.ts";
import { HELD_OUT_CASES, PUBLIC_CASES } from "../cases.ts";
import type { SubmittedRuns } from "./answers.ts";
import { code, events, plain, table } from "./markdown.ts";
import { failures } from "./origins.ts";
import {
  noModel,
  type SubmittedProposal,
  type SubmittedRun,
} from "./submitted_run.ts";

/**
 * The set that counts: the last one recorded before the trial began, or the
 * last one where none was or there is no trial.
 */
export function countingPredictions(
  recorded: readonly RecordedPredictions[],
  trial: SubmittedRun | null,
): RecordedPredictions | null {
  const before = trial === null
    ? []
    : recorded.filter((set) => set.recorded < trial.created);
  return before.at(-1) ?? recorded.at(-1) ?? null;
}

/** Predictions against outcomes, as Markdown. */
export function predictionTable(
  runs: SubmittedRuns,
  recorded: readonly RecordedPredictions[],
): string {
  const { trial } = runs;
  const counting = countingPredictions(recorded, trial);
  const rows = PREDICTION_QUESTIONS.map(({ name, question }, at) => [
    `${at + 1}. ${question}`,
    counting === null
      ? "no record"
      : plain(counting.answers[name] ?? "no answer"),
    OUTCOMES[at]!(runs),
  ]);
  return `${provenance(counting, recorded, runs)}\n\n` +
    table(["Question", "Predicted", "What the evidence says"], rows);
}

/** Which set counts, and what every other one had for an answer. */
function provenance(
  counting: RecordedPredictions | null,
  recorded: readonly RecordedPredictions[],
  runs: SubmittedRuns,
): string {
  if (counting === null) {
    return "No record of predictions was found (`tinycoder predict`).";
  }
  const others = recorded.filter((set) => set !== counting).map((set) =>
    `- Set ${set.number}, ${when(set, runs)}: ${differences(set, counting)}.\n`
  );
  return `Set ${counting.number} of ${recorded.length}, ` +
    `${when(counting, runs)}; times are as the machine told them.` +
    (others.length === 0
      ? ""
      : `\n\nThe other sets, which don't count here:\n\n${
        others.join("").trimEnd()
      }`);
}

function when(
  { recorded }: RecordedPredictions,
  { baseline, trial }: SubmittedRuns,
): string {
  const order = ({ created }: SubmittedRun) =>
    recorded < created ? "before" : "**not before**";
  return `recorded ${plain(recorded)}, ${order(baseline)} the baseline` +
    (trial === null ? " began" : ` and ${order(trial)} the trial began`);
}

function differences(
  { answers }: RecordedPredictions,
  counting: RecordedPredictions,
): string {
  const different = PREDICTION_QUESTIONS.flatMap(({ name }, at) => {
    const [own, counted] = [answers[name], counting.answers[name]];
    return own === counted ? [] : [
      `question ${at + 1} ${plain(own ?? "no answer")} (set ` +
      `${counting.number}: ${plain(counted ?? "no answer")})`,
    ];
  });
  return different.length === 0 ? "the same answers" : different.join("; ");
}

const NO_TRIAL = "not run or blocked";
const BROKEN = "not shown: the evidence doesn't hold";

/** What only a model's trial can answer. */
function ofModel(
  answer: (trial: SubmittedRun) => string,
): (runs: SubmittedRuns) => string {
  return ({ trial }) =>
    trial === null
      ? NO_TRIAL
      : !trial.holds
      ? BROKEN
      : noModel(trial) ?? answer(trial);
}

const OUTCOMES: readonly ((runs: SubmittedRuns) => string)[] = [
  ofModel(firstAttempt),
  ofModel(repaired),
  ofModel(firstToFail),
  ({ baseline, trial }) =>
    !baseline.holds
      ? BROKEN
      : `The baseline is ${
        baseline.final?.["verified_success"] === true ? "" : "**not** "
      }a verified success; ${besideBaseline(trial)}`,
  ofModel(outside),
];

function besideBaseline(trial: SubmittedRun | null): string {
  if (trial === null) return "there is no trial beside it";
  if (!trial.holds) return "the trial's evidence doesn't hold";
  return noModel(trial) ??
    `of the trial's ${counted(trial.proposals.length, "proposal")} ` +
      `${failures(trial.proposals).length} failed`;
}

/** Codes that say the bytes were not one JSON value. */
const NOT_JSON = new Set([
  "invalid_json",
  "json_nesting_limit",
  "duplicate_key",
]);

function firstAttempt(trial: SubmittedRun): string {
  const [first] = trial.proposals;
  if (first?.answer == null) return "It brought no proposal";
  const error = first.answer.observation["error"];
  const at = events(trial, first.answer.eventId);
  if (error === "proposal_too_large") return `Too large to be read (${at})`;
  return NOT_JSON.has(String(error))
    ? `No: ${code(String(error))} (${at})`
    : `Yes (${at})`;
}

function repaired({ final, proposals }: SubmittedRun): string {
  const passed = (name: string) => {
    const score = final?.[name];
    return score !== null && typeof score === "object"
      ? Number((score as { passed?: unknown }).passed)
      : null;
  };
  const [shown, held] = [passed("public"), passed("held_out")];
  if (shown === null || held === null) return "Not evaluated";
  const all = PUBLIC_CASES.length + HELD_OUT_CASES.length;
  return `${shown + held === all ? "Yes" : "No"}: ${shown + held} of ${all} ` +
    `cases pass after ${counted(proposals.length, "proposal")}`;
}

function firstToFail(trial: SubmittedRun): string {
  for (const proposal of trial.proposals) {
    const kind = failedAt(proposal);
    if (kind === null) continue;
    const { answer, received, number } = proposal;
    return `${kind}, at proposal ${number} (${
      events(trial, answer?.eventId ?? received?.eventId)
    })`;
  }
  return "Nothing failed";
}

function failedAt(proposal: SubmittedProposal): string | null {
  const { answer } = proposal;
  const { ok, action, passed, total, version } = answer?.observation ?? {};
  if (ok === true) {
    // The first test of the broken source is nobody's arithmetic.
    return action === "test" && version !== 0 && passed !== total
      ? "Arithmetic: a patched version failed a public case"
      : null;
  }
  const [failure] = failures([proposal]);
  if (failure === undefined) return null;
  if (failure.code === "stale_version") return "Version tracking";
  return failure.origin === "schema adherence"
    ? `Format following: ${code(failure.code)}`
    : `None of the three, but ${code(failure.code)}`;
}

function outside(trial: SubmittedRun): string {
  const tried = failures(trial.proposals).filter(({ origin }) =>
    origin === "permission checks"
  );
  return tried.length === 0
    ? "No proposal of this trial asked for either; `tinycoder selftest` does"
    : tried.map(({ code: failed, proposal }) =>
      `${code(failed)} (${events(trial, proposal.answer?.eventId)})`
    ).join(", ");
}
