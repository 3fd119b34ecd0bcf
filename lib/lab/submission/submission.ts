// Lab Part 10: submission.md. It answers what the evidence answers, and never
// says a word for the learner.

import { answers, NOT_RUN } from "./answers.ts";
import { checklist, type ChecklistParts } from "./checklist.ts";
import { blank, code, plain, table } from "./markdown.ts";
import { predictionTable } from "./predictions.ts";
import { noModel, type SubmittedRun } from "./submitted_run.ts";

/** The submission as Markdown. */
export function submission(parts: ChecklistParts): string {
  const { baseline, trial, predictions } = parts;
  return `# Submission: Lab 16, build a tiny coding agent

Made by \`tinycoder submission\` from the runs' folders. Numbers in tables link to
the lines of an audit. Passages marked **Yours to write** are for the learner;
nothing in them is filled in.
${warning(parts)}
## The runs

${runTable(baseline, trial)}
${modelStage(trial)}\
To derive either run again from its evidence: \`tinycoder verify RUN\`.

## Predictions and outcomes

${predictionTable({ baseline, trial }, predictions)}
${blank("Which prediction was wrong, and what had you assumed?")}
## Questions

${answers({ baseline, trial })}
## Harness correctness and model ability

${
    blank(
      "What do these runs say about the harness, what about the model, and " +
        "what keeps the two apart?",
    )
  }
## Completion checklist

A box is ticked only where the evidence shows it.

${checklist(parts)}`;
}

/** A trial without a model doesn't complete the lab, whatever it shows. */
function modelStage(trial: SubmittedRun | null): string {
  if (trial === null) return `${NOT_RUN}\n${blank("Why was no trial run?")}\n`;
  if (noModel(trial) === null) {
    return trial.coreTrial ? "" : extensionStage(trial);
  }
  return "**The model stage is not run or " +
    `blocked.** ${code(trial.name)} ${
      trial.source === "model"
        ? "ended before a model was called"
        : `took its proposals from ${code(trial.source)}, not from a model`
    }.\n\n${blank("Why was no model trial run?")}\n`;
}

/** An extension's trial is a model's, but not the one that the lab asks for. */
function extensionStage({ name }: SubmittedRun): string {
  return `**Partial.** ${code(name)} is not the core trial.\n\n${
    blank("Why was no core trial run?")
  }\n`;
}

function warning({ baseline, trial }: ChecklistParts): string {
  const broken = [baseline, ...trial === null ? [] : [trial]]
    .filter(({ holds }) => !holds);
  return broken.length === 0
    ? ""
    : `\n${
      broken.map(({ name, fault }) =>
        `> **The evidence of ${code(name)} doesn't hold.** ${
          plain(fault ?? "")
        }\n`
      ).join(">\n")
    }>\n> Nothing below is shown by it: no box is ticked, no prediction answered. ` +
      "What could be read is told as what was read; see `tinycoder verify`.\n";
}

function runTable(
  baseline: SubmittedRun,
  trial: SubmittedRun | null,
): string {
  const runs = [baseline, ...trial === null ? [] : [trial]];
  const row = (name: string, value: (run: SubmittedRun) => string) => [
    name,
    ...runs.map(value),
  ];
  return table(["", ...runs.map(({ name }) => code(name))], [
    row("Run", ({ runId }) => code(runId)),
    row("Begun", ({ created }) => plain(created)),
    row("Proposals from", ({ source }) => plain(source)),
    row(
      "Trial",
      ({ coreTrial, extension }) =>
        coreTrial
          ? "the core trial"
          : extension === null
          ? "none"
          : `extension: ${plain(extension)}`,
    ),
    row(
      "How it stopped",
      ({ stop }) => stop === null ? "not recorded" : code(stop.reason),
    ),
    row("Public cases", ({ final }) => score(final?.["public"])),
    row("Held-out cases", ({ final }) => score(final?.["held_out"])),
    row(
      "Final evaluation",
      ({ final }) =>
        plain(String(final?.["final_evaluation"] ?? "not recorded")),
    ),
    row("Verified success", verifiedText),
  ]);
}

function verifiedText({ final, holds }: SubmittedRun): string {
  if (final === null) return "no final report";
  if (final["verified_success"] !== true) {
    return final["recovered"] === true
      ? "no: a recovered run never is one"
      : "no";
  }
  return holds ? "yes" : "claimed, but the evidence doesn't hold";
}

function score(value: unknown): string {
  if (value === null || typeof value !== "object") return "not evaluated";
  const { passed, total } = value as { passed: number; total: number };
  return `${passed} of ${total} pass`;
}
