// Live progress on stderr: what is asked, answered, denied and committed, in
// the words and with the marks of `show`.

import type { JsonObject } from "../agent/json.ts";
import type { Attempt } from "../agent/source.ts";
import type { AuditRecord } from "../evidence/audit_record.ts";
import { loopEventWords } from "../evidence/run_words.ts";
import { showSafely } from "../system/safe_text.ts";
import { paint } from "./colors.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { rawProposal } from "./proposal_lines.ts";
import type { Terminal } from "./terminal.ts";
import { cut, padded, PAGE_COLUMNS } from "./text_layout.ts";

/** Columns before the words: time and number. */
const BEFORE = 16;

/** Prints a line for each record that a watcher wants to see. */
export function progressPrinter(
  terminal: Terminal,
): (record: JsonObject) => void {
  const { good, bad, dim } = paint(terminal.noteColor);
  let action: JsonObject | null = null;
  return (json) => {
    const record = json as unknown as AuditRecord;
    const { event, content, proposal_number, monotonic_ms } = record;
    if (event === "request_assembled") action = null;
    if (event === "proposal_admitted") action = content["action"] as JsonObject;
    const said = progressText(record, action);
    if (said === null) return;
    const [mark, text] = said;
    const color = { "✓": good, "✗": bad, "·": dim, " ": dim }[mark];
    const time = padded(`${(monotonic_ms / 1_000).toFixed(2)} s`, 10, "left");
    const number = padded(String(proposal_number ?? ""), 2, "left");
    const shown = cut(showSafely(text), PAGE_COLUMNS - BEFORE - 1);
    terminal.note(`${dim(time)} ${number} ${color(`${mark} ${shown}`)}\n`);
  };
}

type Mark = "✓" | "✗" | "·" | " ";

/**
 * What a watcher is told of a record; null for nothing.
 *
 * @param action The action that the current proposal was admitted as.
 */
function progressText(
  record: AuditRecord,
  action: JsonObject | null,
): readonly [Mark, string] | null {
  const { event, content } = record;
  switch (event) {
    case "request_assembled":
      return ["·", "asking for a proposal"];
    case "proposal_received": {
      const attempt = content as Attempt;
      const { failed, detail } = attempt;
      return failed === undefined
        ? [" ", rawProposal(attempt)]
        : ["✗", `no proposal: ${failed}${detail ? `, ${detail}` : ""}`];
    }
    case "observation_made": {
      const observation = content["observation"] as JsonObject;
      const { ok, error, message } = observation;
      if (ok !== true) return ["✗", `denied, ${error}: ${message}`];
      const version = LAB_WORDS.version(observation);
      return [
        "✓",
        `${action === null ? "" : `${LAB_WORDS.action(action)}: `}` +
        `${LAB_WORDS.success(observation)}, version ${version}`,
      ];
    }
    case "tokens_counted":
    case "edit_committed":
      return null;
    default: {
      const text = LAB_WORDS.event(record) ?? loopEventWords(event, content);
      return text === null ? null : ["·", text];
    }
  }
}
