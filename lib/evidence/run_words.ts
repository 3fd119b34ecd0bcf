// The loop's own facts in words, for every view of a run.

import type { JsonObject } from "../agent/json.ts";
import { counted } from "../system/counted.ts";
import type { TaskWords } from "./task_words.ts";

/** What each stop reason means. */
export const STOP_WORDS: Readonly<Record<string, string>> = {
  finish_accepted: "a finish was accepted",
  proposal_limit: "every proposal was used",
  invalid_proposal_limit: "two proposals in a row were refused",
  context_limit: "the essential input no longer fits into a request",
  observation_limit: "an observation would have been too long",
  time_limit: "a deadline passed",
  cancelled: "stopped on request",
  model_error: "the source failed to bring a proposal",
  workspace_conflict: "a managed file was changed from outside",
  harness_error: "the harness itself failed",
};

/**
 * What a stop reason means; undefined for one that is not known.
 *
 * @param detail The stop's detail: recovery's says all that there is to say.
 */
export function stopWords(
  reason: string,
  detail: string | null,
): string | undefined {
  if (detail === PROCESS_DIED) return DETAILS[PROCESS_DIED];
  return Object.hasOwn(STOP_WORDS, reason) ? STOP_WORDS[reason] : undefined;
}

/** A stop's detail where it says more than {@link stopWords}, or null. */
export function stopMore(
  detail: string | null,
  words?: Pick<TaskWords, "stopDetail">,
): string | null {
  return detail === null || detail === PROCESS_DIED
    ? null
    : stopDetail(detail, words);
}

/** A stop's detail: the harness's own codes in words, then the task's. */
export function stopDetail(
  detail: string,
  words?: Pick<TaskWords, "stopDetail">,
): string {
  return Object.hasOwn(DETAILS, detail)
    ? DETAILS[detail]!
    : words?.stopDetail(detail) ?? detail;
}

/** The detail of a stop that recovery found: the harness isn't at fault. */
const PROCESS_DIED = "process_died";

const DETAILS: Readonly<Record<string, string>> = {
  [PROCESS_DIED]: "its process ended from outside, or died",
  cancelled: "cancelled",
  call_expired: "a call's deadline passed",
  run_expired: "the run's deadline passed",
};

/** Where the proposals came from. */
export function sourceWords(source: string): string {
  switch (source) {
    case "scripted":
      return "the scripted baseline; no model was called";
    case "stdio":
      return "another program, over stdin and stdout";
    case "model":
      return "a model";
    default:
      return source;
  }
}

/** One of the loop's events as half a sentence; null where it says nothing. */
export function loopEventWords(
  event: string,
  content: JsonObject,
): string | null {
  switch (event) {
    case "model_loaded":
      return content["failed"] === undefined
        ? "the source is ready"
        : `the source is not ready: ${content["detail"] ?? content["failed"]}`;
    case "tokens_counted":
      return content["failed"] === undefined
        ? `the input takes ${counted(Number(content["tokens"]), "token")}`
        : "the input could not be counted: " +
          `${content["detail"] ?? content["failed"]}`;
    case "stop_requested":
      return `told to stop: ${stopDetail(String(content["stop"]))}`;
    case "proposal_discarded":
      return "the proposal came too late and was discarded";
    case "harness_fault":
      return `the harness failed: ${content["error"]}`;
    case "loop_stopped":
      return `stopped: ${content["stop_reason"]}`;
    case "tail_found":
      return content["kind"] === "clean"
        ? "the audit ends with a whole record"
        : "the audit ends with " +
          counted(
            Number(content["bytes"]),
            "byte that is no record",
            "bytes that are no record",
          ) +
          (content["kind"] === "nul_padding"
            ? ", all of them NUL, as a power cut leaves them"
            : ", a record that was begun");
    case "run_recovered":
      return "the evidence was closed by recovery";
    default:
      return null;
  }
}
