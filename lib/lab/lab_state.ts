// The controller's authoritative state. It follows from the facts alone; the
// disk can confirm or contradict it, and never changes it.

import { type Sha256, sha256 } from "../system/sha256.ts";
import type { SourceExpressions } from "./expression/evaluate_cases.ts";
import type { FunctionName } from "./expression/function_names.ts";
import {
  expressionTexts,
  INITIAL_EXPRESSIONS,
  INITIAL_SOURCE,
  TASK_TEXT,
} from "./managed_files.ts";
import { generateSource } from "./expression/source_wrapper.ts";

/** One version of the source, and the digest that identifies its bytes. */
export interface SourceVersion {
  readonly version: number;
  readonly sha256: Sha256;
}

/** The last public test, bound to what it tested. */
export interface PublicTest extends SourceVersion {
  readonly passed: number;
  readonly total: number;
}

/** An edit whose outcome isn't known yet. */
export interface OpenEdit {
  readonly function: FunctionName;
  readonly expressions: SourceExpressions;
  readonly after: Sha256;
}

/** Everything that decides what the next action may do. */
export interface LabState {
  expressions: SourceExpressions;
  source: SourceVersion;
  readonly taskSha256: Sha256;
  /** Whether a source read has succeeded. */
  sourceRead: boolean;
  lastTest: PublicTest | null;
  finish: SourceVersion | null;
  openEdit: OpenEdit | null;
}

/** The state of a fresh workspace. */
export function initialState(): LabState {
  return {
    expressions: INITIAL_EXPRESSIONS,
    source: { version: 0, sha256: sha256(INITIAL_SOURCE) },
    taskSha256: sha256(TASK_TEXT),
    sourceRead: false,
    lastTest: null,
    finish: null,
    openEdit: null,
  };
}

/** The source text of the state's expressions. */
export function sourceText(state: LabState): string {
  return generateSource(expressionTexts(state.expressions));
}

/** Whether two versions are the same bytes under the same number. */
export function sameVersion(
  a: SourceVersion | null,
  b: SourceVersion | null,
): boolean {
  return a !== null && b !== null && a.version === b.version &&
    a.sha256 === b.sha256;
}
