// What evidence needs of a task to show a run to a person. The composition root
// supplies it with the task; evidence itself knows no action by name.

import type { JsonObject } from "../agent/json.ts";
import type { AuditRecord } from "./audit_record.ts";

/** One expression before and after an edit. */
export interface Edit {
  /** What was edited, such as a function's name. */
  readonly target: string;
  readonly before: string;
  readonly after: string;
}

/** One case of an evaluation, in words. */
export interface CaseLine {
  /** Which cases it is one of, as in {@link ScoreLine.name}. */
  readonly kind: string;
  /** The call, such as `clamp(8, 0, 5)`. */
  readonly call: string;
  readonly expected: string;
  /** The value, or the bounded error that came instead. */
  readonly actual: string;
  readonly passes: boolean;
}

/** Passed and total cases of one kind. */
export interface ScoreLine {
  /** Such as `public`. */
  readonly name: string;
  /** Null where nothing was evaluated. */
  readonly score: { readonly passed: number; readonly total: number } | null;
}

/** A task's own words. Nothing in them is escaped: the printers do that. */
export interface TaskWords {
  /** What the task is, such as "Lab 16: …". */
  readonly title: string;
  /** An admitted action in a few words. */
  action(action: JsonObject): string;
  /** What an action that was carried out came to, in a few words. */
  success(observation: JsonObject): string;
  /** The version of the source that an observation speaks of. */
  version(observation: JsonObject): number | null;
  /** The edit that an admitted action asks for; null for all other actions. */
  edit(action: JsonObject): Edit | null;
  /** Cases that an observation or a record carries. */
  cases(content: JsonObject): readonly CaseLine[];
  /** What passes, as a final report's content says it. */
  scores(final: JsonObject): readonly ScoreLine[];
  /** A stop's detail in words; as it is where the task has none for it. */
  stopDetail(detail: string): string;
  /** A final report's `final_evaluation`, as the second half of a sentence. */
  evaluation(status: string): string;
  /** The task's own event as half a sentence; null for the loop's events. */
  event(record: AuditRecord): string | null;
}
