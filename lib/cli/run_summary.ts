// What a run ends with: how it stopped, what passes, and whether that is a
// verified success are three separate facts (lab Part 9).

import type { JsonObject } from "../agent/json.ts";
import type { FinalReport } from "../evidence/final_report.ts";
import { durationWords } from "../evidence/proposal_words.ts";
import type { RunView } from "../evidence/run_view.ts";
import { sourceWords, stopMore, stopWords } from "../evidence/run_words.ts";
import type { ScoreLine, TaskWords } from "../evidence/task_words.ts";
import { counted } from "../system/counted.ts";
import { jsonWords } from "../system/json_words.ts";
import { showSafely } from "../system/safe_text.ts";
import { shellWord } from "../system/shell_word.ts";
import { type Paint, paint } from "./colors.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { columns, padded, PAGE_COLUMNS, wrapped } from "./text_layout.ts";

const LABEL = 18;

/**
 * A final report as a few lines for a person.
 *
 * @param verified What verifying the evidence said, where that was done.
 */
export function runSummary(
  final: JsonObject,
  folder: string,
  color: boolean,
  verified?: { readonly verdict: string; readonly holds: boolean },
): string {
  const report = final as unknown as FinalReport;
  const colors = paint(color);
  const { proposals, invalid_proposals, model_calls, audit } = report;
  const lines = [
    "",
    colors.strong(`Run ${showSafely(report.run_id)}`),
    row("Proposals from", sourceWords(report.source)),
    row("Proposals", proposalCounts(proposals, invalid_proposals, model_calls)),
    ...outcomeLines(
      {
        stop: stopOf(report),
        final: report,
        findings: verified?.holds === false ? [UNHELD] : [],
      },
      LAB_WORDS,
      colors,
    ),
    timesRow(report.elapsed_ms),
    row("Evidence", `${folder}/, ${counted(audit.count, "record")}`),
    ...(verified === undefined ? [] : [row("", verified.verdict)]),
    row("", `See it: tinycoder show ${shellWord(folder)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Stands for whatever a verification found. */
const UNHELD = { file: "", line: null, message: "" };

/** The three facts, which are never derived from one another. */
export function outcomeLines(
  { stop, final, findings }: Pick<RunView, "stop" | "final" | "findings">,
  words: TaskWords,
  colors: Paint,
): string[] {
  const verified = final?.verified_success;
  return [
    row("How it stopped", stopText(stop, words)),
    row(
      "What passes",
      final === null
        ? "not evaluated"
        : (findings.length === 0 ? "" : "claimed: ") +
          passesText(final, words),
    ),
    verified === undefined
      ? row("Verified success", "no final report says so")
      : !verified
      ? row(
        "Verified success",
        final?.recovered ? "no: a recovered run never is one" : "no",
        colors.bad,
      )
      : findings.length === 0
      ? row("Verified success", "yes", colors.good)
      : row(
        "Verified success",
        "claimed, but the evidence doesn't hold",
        colors.bad,
      ),
  ];
}

/** A stop reason with its meaning and detail. */
export function stopText(
  stop: RunView["stop"],
  words: TaskWords,
): string {
  if (stop === null) return "no record says how";
  const meaning = stopWords(stop.reason, stop.detail);
  const more = stopMore(stop.detail, words);
  return stop.reason + (meaning === undefined ? "" : `: ${meaning}`) +
    (more === null ? "" : ` (${more})`);
}

/** What passes, or why nothing was evaluated. */
export function passesText(final: FinalReport, words: TaskWords): string {
  const scores = words.scores(final as JsonObject);
  const evaluation = jsonWords(final["final_evaluation"]);
  if (scores.every(({ score }) => score === null)) {
    return `not evaluated: ${words.evaluation(evaluation)} (${evaluation})`;
  }
  return `${scores.map(scoreText).join(", ")}; final evaluation ${evaluation}`;
}

/** Durations by kind, the total first, filled into lines. */
export function timesRow(elapsed: JsonObject): string {
  const { total, ...kinds } = elapsed;
  const known = Object.entries(kinds)
    .filter((kind): kind is [string, number] => typeof kind[1] === "number");
  const other = known.reduce((rest, [, ms]) => rest - ms, Number(total));
  // A recovered run has no kinds, and so nothing beside them.
  const all = known.length > 0 && other > 0
    ? [...known, ["other", other] as const]
    : known;
  const parts = all.map(([kind, ms]) => `${kind} ${durationWords(ms)}`);
  const whole = typeof total === "number" ? durationWords(total) : "unknown";
  return row("Time", [`${whole} in all`, ...parts]);
}

/** Proposals, refused ones, and calls of a model where there were any. */
export function proposalCounts(
  proposals: number,
  refused: number,
  modelCalls: number,
): string {
  return `${proposals}, ${refused} refused` +
    (modelCalls === 0 ? "" : `, ${counted(modelCalls, "model call")}`);
}

/**
 * A label and its text, escaped and wrapped to the page.
 *
 * @param text Pieces are kept whole and set apart by commas.
 * @param color Colours the text.
 */
export function row(
  name: string,
  text: string | readonly string[],
  color: (text: string) => string = (plain) => plain,
): string {
  const width = PAGE_COLUMNS - LABEL - 2;
  const pieces = typeof text === "string" ? [text] : text;
  let line = "";
  const lines: string[] = [];
  for (const piece of pieces.map((one) => showSafely(one))) {
    const longer = line === "" ? piece : `${line}, ${piece}`;
    if (line !== "" && columns(longer) > width - 1) {
      lines.push(`${line},`);
      line = piece;
    } else line = longer;
  }
  lines.push(...wrapped(line, width));
  const [first = "", ...rest] = lines;
  return [
    `  ${padded(name, LABEL)}${color(first)}`,
    ...rest.map((more) => " ".repeat(LABEL + 2) + color(more)),
  ].join("\n");
}

function stopOf(final: FinalReport): RunView["stop"] {
  return { reason: final.stop_reason, detail: final.detail };
}

function scoreText({ name, score }: ScoreLine): string {
  return score === null
    ? `${name} not evaluated`
    : `${name} ${score.passed} of ${score.total}`;
}
