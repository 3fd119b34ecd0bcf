// The lab's completion checklist. A box is ticked only where the evidence shows
// it; what a person must answer for stays open, beside what the evidence has.

import type { SubmittedRuns } from "./answers.ts";
import type { JsonObject } from "../../agent/json.ts";
import { counted } from "../../system/counted.ts";
import { code } from "./markdown.ts";
import type { RecordedPredictions } from "../predictions.ts";
import { countingPredictions } from "./predictions.ts";
import type { SubmittedRun } from "./submitted_run.ts";

/** Digests that a run of the lab must have. */
export interface ExpectedIdentity {
  /** Of the public and the held-out cases, by the manifest's names. */
  readonly cases: Readonly<Record<string, string>>;
  /** Of the initial files, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the checklist is decided by. */
export interface ChecklistParts extends SubmittedRuns {
  readonly predictions: readonly RecordedPredictions[];
  readonly expected: ExpectedIdentity;
}

interface Item {
  readonly text: string;
  /** Whether the evidence shows all of it, and what it shows. */
  readonly decide: (parts: ChecklistParts) => readonly [boolean, string];
}

/** The checklist as Markdown. */
export function checklist(parts: ChecklistParts): string {
  const holds = parts.baseline.holds && parts.trial?.holds !== false;
  return ITEMS.map(({ text, decide }) => {
    const [shown, why] = decide(parts);
    return holds
      ? `- [${shown ? "x" : " "}] ${text}  \n  ${why}\n`
      : `- [ ] ${text}  \n  The evidence doesn't hold, so nothing is shown.\n`;
  }).join("");
}

const ITEMS: readonly Item[] = [
  {
    text: "Predictions and resource opt-in recorded",
    decide: ({ predictions, trial }) => {
      const counting = countingPredictions(predictions, trial);
      if (counting === null) {
        return [false, "No record of predictions was found."];
      }
      if (trial === null) return [false, "Predictions are; there is no trial."];
      const asked = trial.optIn === "typed" || trial.optIn === "flag";
      return [
        asked && counting.recorded < trial.created,
        `Predictions are of ${counting.recorded}, the trial of ` +
        `${trial.created}; its opt-in: ${trial.optIn}.`,
      ];
    },
  },
  {
    text: "Exact fresh source and fixture definitions preserved",
    decide: ({ baseline, trial, expected }) => {
      const runs = [baseline, ...trial === null ? [] : [trial]];
      const other = runs.filter((run) => !preserved(run, expected));
      return [
        other.length === 0,
        other.length === 0
          ? `The manifests of ${runs.map(named).join(" and ")} carry the ` +
            "lab's digests."
          : `${other.map(named).join(" and ")} ${
            other.length === 1 ? "has" : "have"
          } other digests.`,
      ];
    },
  },
  {
    text: "Positive and negative harness checks actually run and reported",
    decide: ({ baseline }) => [
      false,
      `Positive: ${named(baseline)} is ${
        baseline.final?.["verified_success"] === true ? "" : "not "
      }a verified success. Negative: run \`tinycoder selftest\`, and report ` +
      "what it said; no run's folder shows it.",
    ],
  },
  {
    text: "Model files and runtime identities verified before loading",
    decide: ({ trial }) => {
      if (trial === null) return [false, "Not run or blocked."];
      const loaded = trial.events.find(({ event, content }) =>
        event === "model_loaded" && content["failed"] === undefined &&
        verifiedFiles(content).length > 0
      );
      return loaded === undefined
        ? [false, `${named(trial)} has no record of verified files.`]
        : [
          true,
          `Event ${loaded.eventId} of ${named(trial)} has each file's ` +
          "digest, as verified before loading.",
        ];
    },
  },
  {
    text: "One actual open-model trial conducted, or explicitly labeled " +
      "partial/blocked",
    decide: ({ trial }) => {
      if (trial === null) {
        return [
          false,
          "Not run or blocked: say why below the questions, then tick this.",
        ];
      }
      const calls = Number(trial.final?.["model_calls"] ?? 0);
      const label = trial.coreTrial
        ? "the core trial"
        : trial.extension === null
        ? "no core trial"
        : "a declared extension, not the core trial";
      return [
        trial.coreTrial && calls > 0,
        `${named(trial)} is ${label}, with ${counted(calls, "model call")}.` +
        (trial.coreTrial
          ? ""
          : " Why was no core trial run? Say so, and label this partial; then " +
            "tick it."),
      ];
    },
  },
  {
    text: "No hidden repair, extra model, paid service, arbitrary code " +
      "execution, or omitted failure",
    decide: ({ trial }) => [
      false,
      (trial === null
        ? ""
        : `${named(trial)} has ${
          counted(trial.proposals.length, "attempt")
        } and ${modelCalls(trial)}, all on record. `) +
      "Whether another run was left out, no folder can show: confirm it.",
    ],
  },
  {
    text: "Final evaluation and stop reason reported separately",
    decide: ({ baseline, trial }) => {
      const runs = [baseline, ...trial === null ? [] : [trial]];
      const without = runs.filter(({ final }) =>
        typeof final?.["stop_reason"] !== "string" ||
        typeof final["final_evaluation"] !== "string"
      );
      return [
        without.length === 0,
        without.length === 0
          ? runs.map((run) =>
            `${named(run)}: ${code(String(run.final?.["stop_reason"]))}, ` +
            `evaluation ${code(String(run.final?.["final_evaluation"]))}.`
          ).join(" ")
          : `${without.map(named).join(" and ")}: no final report.`,
      ];
    },
  },
  {
    text: "Submission explains the boundary between harness correctness and " +
      "model ability",
    decide: () => [false, "Yours to write."],
  },
];

/** The files that a source told as verified, each with its digest. */
function verifiedFiles(loaded: JsonObject): readonly JsonObject[] {
  const facts = loaded["source_facts"] as JsonObject | undefined;
  const files = facts?.["files"];
  const named = Array.isArray(files) ? files as readonly JsonObject[] : [];
  return named.every((file) => typeof file?.["sha256"] === "string")
    ? named
    : [];
}

function preserved(run: SubmittedRun, expected: ExpectedIdentity): boolean {
  const { cases, files } = expected;
  const found = Object.fromEntries(
    run.initialFiles.map(({ name, sha256 }) => [name, sha256]),
  );
  return Object.entries(cases)
    .every(([name, digest]) => run.digests[name] === digest) &&
    Object.entries(files).every(([name, digest]) => found[name] === digest);
}

function modelCalls({ final }: SubmittedRun): string {
  const calls = final?.["model_calls"];
  return typeof calls === "number"
    ? counted(calls, "model call")
    : "an unknown number of model calls";
}

function named({ name }: SubmittedRun): string {
  return code(name);
}
