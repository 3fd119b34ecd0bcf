// The lab task in words, for whoever shows a run. `evidence` owns the shape and
// knows no action; nothing here is escaped.

import type { JsonObject } from "../agent/json.ts";
import { PUBLIC_CASES } from "./cases.ts";

/** What the task is. */
export const LAB_TITLE = "Lab 16: repair two integer expressions";

/** An admitted action in a few words, such as `replace clamp`. */
export function actionWords(action: JsonObject): string {
  switch (action["action"]) {
    case "read":
      return `read ${action["file"]}`;
    case "replace":
      return `replace ${action["function"]}`;
    case "finish":
      return `finish version ${action["version"]}`;
    default:
      return String(action["action"]);
  }
}

/** What an action that was carried out came to. */
export function successWords(observation: JsonObject): string {
  const { action, passed, total, status } = observation;
  switch (action) {
    case "read":
      return "shown";
    case "test":
      return `${passed} of ${total} cases pass`;
    case "replace":
      return status === "no_change" ? "no change" : "committed";
    case "finish":
      return "accepted";
    default:
      return String(status ?? "done");
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
    target: String(action["function"]),
    before: String(action["old"]),
    after: String(action["new"]),
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
  return (cases as readonly JsonObject[]).map((one, at) => {
    const { inputs, expected, actual, error } = one;
    return {
      // The final evaluation takes the public cases first.
      kind: at < PUBLIC_CASES.length ? "public" : "held-out",
      call: `${one["function"]}(${(inputs as number[]).join(", ")})`,
      expected: String(expected),
      actual: String(actual ?? error),
      passes: actual === expected,
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

/** One of the lab's own events as half a sentence; null for the loop's. */
export function eventWords(event: string, content: JsonObject): string | null {
  switch (event) {
    case "file_changed":
      return `${content["file"]} was changed from outside: ` +
        `${content["finding"]}`;
    case "observations_omitted":
      return `left out an older ${content["kind"]} observation, ` +
        `event ${(content["event_ids"] as number[]).join(", ")}`;
    case "edit_intent":
      return `about to write version ${Number(content["old_version"]) + 1}`;
    case "edit_committed":
      return `version ${content["version"]} is on disk` +
        (content["reconciled"] === true ? ", found by its digest" : "");
    case "edit_abandoned":
      return `the edit is not on disk: ${content["cause"]}`;
    case "edit_fault":
      return `the edit was held at "${content["step"]}": ` +
        `${content["error"] ?? content["cause"]}`;
    case "workspace_found":
      return content["change"] === null
        ? `found the files as recorded ${
          content["bytes"] === "after" ? "after" : "before"
        } the open edit`
        : `found a managed file changed`;
    case "final_evaluation":
      return `final evaluation of version ${content["version"]}: ` +
        `${content["status"]}`;
    default:
      return null;
  }
}
