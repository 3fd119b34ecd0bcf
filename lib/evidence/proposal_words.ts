// One proposal in words, the same in the terminal, the report, the comparison
// and the submission. Nothing is escaped here.

import type { JsonObject } from "../agent/json.ts";
import { jsonWords } from "../system/json_words.ts";
import type { ProposalView } from "./run_view.ts";
import { stopDetail } from "./run_words.ts";
import type { Edit, TaskWords } from "./task_words.ts";

/** What became of a proposal. */
export interface Answered {
  readonly kind: "carried_out" | "denied" | "unanswered";
  /** In a few words; for a denial its code. */
  readonly words: string;
  /** Why, as a sentence, where something says it. */
  readonly why: string | null;
}

/** Carried out, denied or never answered, and why. */
export function answeredBy(
  { answer, attempt, discarded, brokenOff }: ProposalView,
  words: TaskWords,
): Answered {
  if (answer !== null) {
    const { observation } = answer;
    return observation["ok"] === true
      ? { kind: "carried_out", words: words.success(observation), why: null }
      : {
        kind: "denied",
        words: jsonWords(observation["error"]),
        why: jsonWords(observation["message"]),
      };
  }
  const unanswered = (said: string, why: string | null = null): Answered => ({
    kind: "unanswered",
    words: said,
    why,
  });
  if (discarded !== null) {
    return unanswered(`too late: ${discarded.stopReason}`);
  }
  const { failed, detail = null } = attempt?.attempt ?? {};
  if (failed === undefined && brokenOff) return unanswered("not read further");
  if (attempt === null) return unanswered("no proposal came");
  return failed === undefined ? unanswered("not answered") : unanswered(
    failed,
    detail === null ? null : stopDetail(detail, words),
  );
}

/** What was proposed, in a few words. */
export function proposalWords(
  { admitted, answer, attempt, brokenOff }: ProposalView,
  words: TaskWords,
): string {
  if (admitted !== null) return words.action(admitted.action);
  const named = answer?.observation["action"];
  if (typeof named === "string") return named;
  if (brokenOff && answer === null) return "not read further";
  if (attempt === null || attempt.attempt.failed !== undefined) {
    return "nothing";
  }
  return answer === null ? "not judged" : "not an action";
}

/** The edit that an admitted action asks for, where it changes something. */
export function editAsked(
  { admitted }: ProposalView,
  words: TaskWords,
): Edit | null {
  const edit = admitted === null ? null : words.edit(admitted.action);
  return edit === null || edit.before === edit.after ? null : edit;
}

/** The version that an observation speaks of, and the one before an edit. */
export function versionWords(
  observation: JsonObject | null,
  words: TaskWords,
): string {
  const after = observation === null ? null : words.version(observation);
  if (after === null) return "";
  const before = observation?.["old_version"];
  return typeof before === "number" && before !== after
    ? `${before} → ${after}`
    : `${after}`;
}

/** Milliseconds as a person reads them. */
export function durationWords(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
