// The lab task in words, for whoever shows a run. `evidence` owns the shape and
// knows no action; nothing here is escaped.

import type { JsonObject } from "../agent/json.ts";
import { jsonWords } from "../system/json_words.ts";
import { PUBLIC_CASES } from "./cases.ts";

/** What the task is. */
export const LAB_TITLE = "Lab 16: repair two integer expressions";

/** An admitted action in a few words, such as `replace clamp`. */
export function actionWords(action: JsonObject): string {
  switch (action["action"]) {
    case "read":
      return `read ${jsonWords(action["file"])}`;
    case "replace":
      return `replace ${jsonWords(action["function"])}`;
    case "finish":
      return `finish version ${jsonWords(action["version"])}`;
    default:
      return jsonWords(action["action"]);
  }
}

/** What an action that was carried out came to. */
export function successWords(observation: JsonObject): string {
  const { action, passed, total, status } = observation;
  switch (action) {
    case "read":
      return "shown";
    case "test":
      return `${jsonWords(passed)} of ${jsonWords(total)} cases pass`;
    case "replace":
      return status === "no_change" ? "no change" : "committed";
    case "finish":
      return "accepted";
    default:
      return jsonWords(status ?? "done");
  }
}

/** The version that an observation speaks of. */
export function versionOf(observation: JsonObject): number | null {
  const { version } = observation;
  return typeof version === "number" ? version : null;
}

/** The expression before and after the edit that an action asks for. */
export function editOf(
  action: JsonObject,
): { target: string; before: string; after: string } | null {
  return action["action"] !== "replace" ? null : {
    target: jsonWords(action["function"]),
    before: jsonWords(action["old"]),
    after: jsonWords(action["new"]),
  };
}

/** The cases that a test's observation or the final evaluation carries. */
export function caseLines(
  content: JsonObject,
): {
  kind: string;
  call: string;
  expected: string;
  actual: string;
  passes: boolean;
}[] {
  const { cases } = content;
  if (!Array.isArray(cases)) return [];
  return (cases as readonly unknown[]).map((one, at) => {
    // Nobody says that a run which doesn't hold has cases of this shape.
    const shaped = (one ?? {}) as Record<string, unknown>;
    const { function: name, inputs, expected, actual, error } = shaped;
    const values = Array.isArray(inputs) ? inputs : [inputs];
    return {
      // The final evaluation takes the public cases first.
      kind: at < PUBLIC_CASES.length ? "public" : "held-out",
      call: `${jsonWords(name)}(${values.map(jsonWords).join(", ")})`,
      expected: jsonWords(expected),
      actual: jsonWords(actual ?? error),
      passes: actual !== undefined && actual === expected,
    };
  });
}

/** What passes, as the final report says it. */
export function scoreLines(
  final: JsonObject,
): { name: string; score: { passed: number; total: number } | null }[] {
  const score = (value: unknown) => {
    if (value === null || typeof value !== "object") return null;
    const { passed, total } = value as Record<string, unknown>;
    return typeof passed === "number" && typeof total === "number"
      ? { passed, total }
      : null;
  };
  return [
    { name: "public", score: score(final["public"]) },
    { name: "held-out", score: score(final["held_out"]) },
  ];
}

/** Whether and how the final evaluation ran, in words; codes unknown stay. */
export function evaluationWords(status: string): string {
  return EVALUATIONS[status] ?? status;
}

const EVALUATIONS: Readonly<Record<string, string>> = {
  performed: "performed",
  unperformed: "the run didn't come to it",
  deadline: "the deadline had passed",
  interrupted: "a deadline passed meanwhile",
  unsafe: "it would not have been safe",
  workspace_conflict: "a managed file was changed",
};

/** A stop's detail in words, where it is a finding about a managed file. */
export function detailWords(detail: string): string {
  const [, file, finding = ""] = /^([^:]+): ([a-z_]+)$/.exec(detail) ?? [];
  const how = CHANGES[finding];
  return how === undefined ? detail : `${file}: ${how}`;
}

/** How a managed file is no longer the recorded one. */
function changeWords({ file, finding }: JsonObject): string {
  const how = CHANGES[String(finding)] ?? String(finding);
  return `${file} was changed from outside: ${how}`;
}

const CHANGES: Readonly<Record<string, string>> = {
  missing: "it is gone",
  not_regular: "it is no regular file",
  extra_link: "it has a second hard link",
  folder_moved: "its folder was moved, or is a link",
  swapped: "it was swapped while it was opened",
  too_large: "it is larger than any that a run writes",
  bytes_changed: "its bytes are others",
};

function causeWords(cause: unknown): string {
  return CAUSES[String(cause)] ?? String(cause);
}

const CAUSES: Readonly<Record<string, string>> = {
  process_died: "the process died",
  target_changed: "a managed file was changed from outside",
  io: "the system reported a fault",
  cancelled: "the run was cancelled",
  call_expired: "a call's deadline passed",
  run_expired: "the run's deadline passed",
};

/** One of the lab's own events as half a sentence; null for the loop's. */
export function eventWords(event: string, content: JsonObject): string | null {
  switch (event) {
    case "file_changed":
      return changeWords(content);
    case "observations_omitted":
      return `left out an older ${content["kind"]} observation, ` +
        `event ${(content["event_ids"] as number[]).join(", ")}`;
    case "edit_intent":
      return `about to write version ${Number(content["old_version"]) + 1}`;
    case "edit_committed":
      return `version ${content["version"]} is on disk` +
        (content["reconciled"] === true ? ", found by its digest" : "");
    case "edit_abandoned":
      return `the edit is not on disk: ${causeWords(content["cause"])}`;
    case "edit_fault":
      return `the edit was held at its step "${content["step"]}": ` +
        causeWords(content["cause"]) +
        (typeof content["error"] === "string" ? ` (${content["error"]})` : "");
    case "workspace_found":
      return content["change"] !== null
        ? `found that ${changeWords(content["change"] as JsonObject)}`
        : content["bytes"] === "after"
        ? "found the files as recorded after the open edit"
        // Of an edit that was open, the next event says that it isn't there.
        : "the files are as last recorded";
    case "final_evaluation":
      return `final evaluation of version ${content["version"]}: ` +
        evaluationWords(String(content["status"]));
    default:
      return null;
  }
}
