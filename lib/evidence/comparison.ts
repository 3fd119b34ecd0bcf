// Two runs side by side: the same rows for the terminal and for the page. What
// makes them comparable comes first, then what differs.

import type { JsonObject } from "../agent/json.ts";
import {
  answeredBy,
  durationWords,
  editAsked,
  proposalWords,
} from "./proposal_words.ts";
import type { ProposalView, RunView } from "./run_view.ts";
import { sourceWords } from "./run_words.ts";
import type { TaskWords } from "./task_words.ts";

/** One row: what each of two runs says under one name. */
export interface ComparedRow {
  readonly name: string;
  readonly values: readonly [string, string];
}

/** Rows that belong together. */
export interface ComparedGroup {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
}

/** Two runs, compared. */
export interface Comparison {
  /** Conditions that the runs don't share; empty where all agree. */
  readonly differingConditions: readonly string[];
  readonly groups: readonly ComparedGroup[];
}

/** Compares two runs of the same task. */
export function compareRuns(
  a: RunView,
  b: RunView,
  words: TaskWords,
): Comparison {
  const row = (
    name: string,
    value: (view: RunView) => string,
  ): ComparedRow => ({ name, values: [value(a), value(b)] });
  const proposals = Math.max(a.proposals.length, b.proposals.length);
  return {
    differingConditions: differingConditions(a, b),
    groups: [
      {
        title: "Runs",
        rows: [
          row("Run", ({ manifest }) => manifest.run_id),
          row(
            "Proposals from",
            ({ manifest }) => sourceWords(manifest.proposal_source),
          ),
          row("Trial", trialWords),
          row(
            "Begun",
            ({ manifest }) =>
              manifest.created.slice(0, 16).replace("T", " ") + " UTC",
          ),
        ],
      },
      {
        title: "Outcome",
        rows: [
          row("How it stopped", ({ stop }) => stop?.reason ?? "not recorded"),
          ...scoreRows(a, b, words),
          row("Verified success", verifiedWords),
        ],
      },
      {
        title: "Proposals",
        rows: Array.from(
          { length: proposals },
          (_, at) =>
            row(
              String(at + 1),
              ({ proposals }) => proposalText(proposals[at], words),
            ),
        ),
      },
      {
        title: "Resources",
        rows: [
          row("Proposals", ({ proposals }) => String(proposals.length)),
          row("Refused", ({ proposals }) => String(refusedCount(proposals))),
          row(
            "Model calls",
            ({ final }) =>
              final === null ? "not recorded" : String(final.model_calls),
          ),
          row("Tokens in, out", tokenTotals),
          ...timeRows(a, b),
          row("Audit records", ({ audit }) => String(audit.count)),
        ],
      },
    ],
  };
}

/** Digests and limits under which two runs were not made alike. */
function differingConditions(a: RunView, b: RunView): string[] {
  const [one, other] = [a.manifest, b.manifest];
  const different = (first: JsonObject, second: JsonObject) =>
    [...new Set([...Object.keys(first), ...Object.keys(second)])]
      .filter((name) => first[name] !== second[name]);
  const limits = different(one.limits, other.limits)
    // What is left of ten minutes differs by milliseconds from run to run.
    .filter((name) => name !== "run_ms");
  return [
    ...one.task === other.task ? [] : ["the task"],
    ...different(one.digests, other.digests)
      .map((name) => `the digest of ${name.replaceAll("_", " ")}`),
    ...limits.map((name) => `the limit ${name.replaceAll("_", " ")}`),
    ...["tinycoder", "deno", "os", "arch", "cpu"]
      .filter((name) => one.runtime[name] !== other.runtime[name])
      .map((name) => `the runtime's ${name}`),
  ];
}

function trialWords({ manifest }: RunView): string {
  if (manifest.extension !== null) return `extension: ${manifest.extension}`;
  return manifest.core_trial ? "the core trial" : "not a trial";
}

function verifiedWords({ final, findings }: RunView): string {
  if (final === null) return "no final report";
  if (!final.verified_success) return "no";
  return findings.length === 0
    ? "yes"
    : "claimed, but the evidence doesn't hold";
}

function scoreRows(a: RunView, b: RunView, words: TaskWords): ComparedRow[] {
  const scores = ({ final }: RunView) =>
    final === null ? [] : words.scores(final as unknown as JsonObject);
  const [one, other] = [scores(a), scores(b)];
  const names = new Set([...one, ...other].map(({ name }) => name));
  const told = (lines: typeof one, name: string) => {
    const score = lines.find((line) => line.name === name)?.score;
    return score ? `${score.passed} of ${score.total} pass` : "not evaluated";
  };
  return [...names].map((name) => ({
    name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)} cases`,
    values: [told(one, name), told(other, name)],
  }));
}

function proposalText(
  proposal: ProposalView | undefined,
  words: TaskWords,
): string {
  if (proposal === undefined) return "—";
  const answered = answeredBy(proposal, words);
  const edit = editAsked(proposal, words);
  const mark = { carried_out: "✓", denied: "✗", unanswered: "–" };
  return `${mark[answered.kind]} ${proposalWords(proposal, words)}: ` +
    answered.words +
    (edit === null
      ? ""
      : answered.kind === "carried_out"
      ? `, ${edit.after}`
      : `; asked for ${edit.after}`);
}

/** Proposals that counted as invalid. */
export function refusedCount(proposals: readonly ProposalView[]): number {
  return proposals.filter(({ answer }) => answer?.counts === "invalid").length;
}

function tokenTotals({ proposals }: RunView): string {
  const tokens = proposals.flatMap((one) => one.tokens ?? []);
  if (tokens.length === 0) return "none counted";
  const sum = (values: number[]) =>
    values.reduce((total, one) => total + one, 0);
  return `${sum(tokens.map((one) => one.input))}, ` +
    `${sum(tokens.map((one) => one.output))}`;
}

function timeRows(a: RunView, b: RunView): ComparedRow[] {
  const [one, other] = [a.final?.elapsed_ms ?? {}, b.final?.elapsed_ms ?? {}];
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)]);
  kinds.delete("total");
  const told = (ms: unknown) =>
    typeof ms === "number" ? durationWords(ms) : "—";
  return [...kinds, "total"].map((kind) => ({
    name: `Time, ${kind}`,
    values: [told(one[kind]), told(other[kind])],
  }));
}
