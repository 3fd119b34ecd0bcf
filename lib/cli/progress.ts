// Live progress on stderr: what is asked, answered, denied and committed.

import type { JsonObject } from "../agent/json.ts";
import { showSafely } from "../system/safe_text.ts";
import { paint } from "./colors.ts";
import type { Terminal } from "./terminal.ts";

/** Prints a line for each record that a watcher wants to see. */
export function progressPrinter(
  terminal: Terminal,
): (record: JsonObject) => void {
  const { good, bad, dim } = paint(terminal.noteColor);
  return (record) => {
    const { event, proposal_number, monotonic_ms } = record;
    const content = record["content"] as JsonObject;
    const said = sentence(String(event), content);
    if (said === null) return;
    const time = `${(Number(monotonic_ms) / 1_000).toFixed(2)} s`.padStart(9);
    const number = proposal_number === null ? " " : `${proposal_number}`;
    const [mood, text] = said;
    const shown = mood === "good"
      ? good(text)
      : mood === "bad"
      ? bad(text)
      : text;
    terminal.note(`${dim(time)}  ${number}  ${shown}\n`);
  };
}

type Mood = "plain" | "good" | "bad";

function sentence(
  event: string,
  content: JsonObject,
): readonly [Mood, string] | null {
  switch (event) {
    case "request_assembled":
      return ["plain", "asking for a proposal"];
    case "proposal_received": {
      const { failed, detail, proposal_text, proposal_base64 } = content;
      if (typeof failed === "string") {
        return ["bad", `no proposal: ${failed}${detail ? ` (${detail})` : ""}`];
      }
      const text = typeof proposal_text === "string"
        ? proposal_text
        : `${String(proposal_base64).length} base64 characters`;
      return ["plain", `proposed ${shortened(text)}`];
    }
    case "observation_made": {
      const observation = content["observation"] as JsonObject;
      const text = observationSentence(observation);
      return [observation["ok"] === true ? "good" : "bad", text];
    }
    case "observations_omitted":
      return ["plain", `left out an older ${content["kind"]} observation`];
    case "file_changed":
      return ["bad", `${content["file"]} was changed from outside`];
    case "stop_requested":
      return ["bad", `stop: ${content["stop"]}`];
    case "edit_intent":
      return ["plain", `writing version ${Number(content["old_version"]) + 1}`];
    case "loop_stopped":
      return ["plain", `stopped: ${content["stop_reason"]}`];
    case "final_evaluation":
      return ["plain", `final evaluation: ${content["status"]}`];
    default:
      return null;
  }
}

/** One observation in a few words. */
export function observationSentence(observation: JsonObject): string {
  const { ok, action, error, message, status, version } = observation;
  if (ok !== true) {
    return `denied: ${error} — ${showSafely(String(message))}`;
  }
  switch (action) {
    case "read":
      return `read ${observation["file"]}, version ${version}`;
    case "test":
      return `tested: ${observation["passed"]} of ${observation["total"]} pass`;
    case "replace":
      return status === "no_change"
        ? `no change to ${observation["function"]}`
        : `committed ${observation["function"]}, version ${version}`;
    default:
      return `${status}, version ${version}`;
  }
}

/** Text on one line, escaped, cut after 100 characters. */
export function shortened(text: string, most = 100): string {
  const shown = showSafely(text);
  return shown.length <= most ? shown : `${shown.slice(0, most - 1)}…`;
}
