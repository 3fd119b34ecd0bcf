// An event as a line of the terminal.

import type { AuditRecord } from "../evidence/audit_record.ts";
import { loopEventWords } from "../evidence/run_words.ts";
import type { TaskWords } from "../evidence/task_words.ts";
import { showSafely } from "../system/safe_text.ts";
import type { Paint } from "./colors.ts";
import { PAGE_COLUMNS, wrapped } from "./text_layout.ts";

/** Events that the summary below tells of. */
const UNTOLD = new Set(["loop_stopped", "final_evaluation", "model_loaded"]);

/** What an event says; nothing for one that the page tells of elsewhere. */
export function eventLines(
  record: AuditRecord,
  words: TaskWords,
  colors: Paint,
): string[] {
  const { event, content } = record;
  if (UNTOLD.has(event) && content["failed"] === undefined) return [];
  const text = words.event(record) ?? loopEventWords(event, content);
  return text === null ? [] : paragraph(`· ${text}`, colors.dim);
}

/** Text below a proposal, escaped and wrapped. */
export function paragraph(
  text: string,
  color: (text: string) => string,
): string[] {
  return wrapped(showSafely(text), PAGE_COLUMNS - 9)
    .map((line, at) => color(`${at === 0 ? "       " : "         "}${line}`));
}
