// One line a proposal, with an edit or a denial below it: what `show` prints
// of a finished run is what the progress of a running one looks like.

import type { Attempt } from "../agent/source.ts";
import {
  answeredBy,
  durationWords,
  editAsked,
  proposalWords,
  versionWords,
} from "../evidence/proposal_words.ts";
import type { ProposalView } from "../evidence/run_view.ts";
import { tokenWords } from "../evidence/run_view_tokens.ts";
import type { TaskWords } from "../evidence/task_words.ts";
import { showSafely } from "../system/safe_text.ts";
import type { Paint } from "./colors.ts";
import { cut, padded, PAGE_COLUMNS, wrapped } from "./text_layout.ts";

const PROPOSED = 22;
const VERDICT = 28;
const VERSION = 7;
const TIME = 11;
/** Where what belongs to a proposal starts below its line. */
const BELOW = " ".repeat(7);

/** The columns' names. */
export function columnNames(): string {
  return padded("   #", 7) + padded("proposed", PROPOSED + 1) +
    padded("verdict", VERDICT + 1) + padded("version", VERSION) +
    padded("time", TIME, "left");
}

/** The lines of one proposal. */
export function proposalLines(
  proposal: ProposalView,
  words: TaskWords,
  paint: Paint,
): string[] {
  const { number, attempt, admitted, answer, elapsedMs, tokens } = proposal;
  const answered = answeredBy(proposal, words);
  const { mark, color } = {
    carried_out: { mark: "✓", color: paint.good },
    denied: { mark: "✗", color: paint.bad },
    unanswered: { mark: "–", color: paint.dim },
  }[answered.kind];
  const proposed = showSafely(proposalWords(proposal, words));
  const line = ` ${color(mark)} ${padded(String(number), 2, "left")}  ` +
    padded(cut(proposed, PROPOSED), PROPOSED + 1) +
    color(padded(cut(showSafely(answered.words), VERDICT), VERDICT + 1)) +
    padded(versionWords(answer?.observation ?? null, words), VERSION) +
    paint.dim(padded(durationWords(elapsedMs), TIME, "left"));
  const denied = answered.kind === "denied";
  const edit = editAsked(proposal, words);
  return [
    line,
    ...edit === null ? [] : [
      ...below(
        `- ${showSafely(edit.before)}`,
        denied ? paint.dim : paint.bad,
        2,
      ),
      ...below(
        `+ ${showSafely(edit.after)}`,
        denied ? paint.dim : paint.good,
        2,
      ),
    ],
    ...denied && admitted === null && attempt !== null
      ? [BELOW + cut(rawProposal(attempt.attempt), PAGE_COLUMNS - 7)]
      : [],
    ...answered.why === null ? [] : below(showSafely(answered.why), paint.dim),
    ...tokens === null ? [] : below(tokenWords(tokens), paint.dim),
  ];
}

/** A proposal's text on one line, or that it is none. */
export function rawProposal(attempt: Attempt): string {
  const { proposal_text, proposal_base64 } = attempt;
  if (proposal_text !== undefined) return showSafely(proposal_text);
  return proposal_base64 === undefined
    ? "nothing"
    : `bytes that aren't UTF-8, in base64: ${showSafely(proposal_base64)}`;
}

function below(
  text: string,
  paint: (text: string) => string,
  hang = 0,
): string[] {
  const [first = "", ...rest] = wrapped(text, PAGE_COLUMNS - BELOW.length);
  const more = rest.length === 0
    ? []
    : wrapped(rest.join(" "), PAGE_COLUMNS - BELOW.length - hang);
  return [first, ...more.map((line) => " ".repeat(hang) + line)]
    .map((line) => BELOW + paint(line));
}
