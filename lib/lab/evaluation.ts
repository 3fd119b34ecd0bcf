// Lab Part 6: the final evaluation, on a snapshot that was just found intact,
// and checked once more before success is claimed. Its results never reach a
// request.

import type { Gate } from "../agent/gate.ts";
import type { LoopStop } from "../agent/task.ts";
import { HELD_OUT_CASES, PUBLIC_CASES } from "./cases.ts";
import {
  type Case,
  type CaseResult,
  evaluateCases,
} from "./expression/evaluate_cases.ts";
import type { EvaluationStatus, LabRecorder, Score } from "./lab_events.ts";
import { type LabState, sameVersion } from "./lab_state.ts";
import type { LabStop } from "./lab_stop.ts";
import type { Workspace } from "./workspace.ts";

/** What the final evaluation found. */
export interface FinalEvaluation {
  readonly status: EvaluationStatus;
  /** Finish accepted and all twelve cases passed on that same snapshot. */
  readonly verified: boolean;
  /** Digest of the snapshot; null where none could be taken. */
  readonly sha256: string | null;
  readonly scores: { readonly public: Score; readonly held_out: Score } | null;
}

/** What the final evaluation works with. */
export interface EvaluationParts {
  readonly recorder: LabRecorder;
  readonly gate: Gate;
  readonly workspace: Workspace;
}

/** Captures the final snapshot and evaluates it, if that is safe and in time. */
export function evaluateFinalSource(
  parts: EvaluationParts,
  state: LabState,
  stop: LabStop | LoopStop,
): FinalEvaluation {
  const { recorder } = parts;
  let judged: Judged;
  try {
    judged = judge(parts, state, stop);
  } catch (error) {
    const fault = recorder.fact("harness_fault", "evaluation", () => ({
      error: error instanceof Error ? error.name : "unknown",
      message: "",
    }));
    if (fault === null) throw error;
    judged = { status: "unsafe", snapshot: false, results: null };
  }
  const { status, snapshot, results } = judged;
  const { version, sha256 } = state.source;
  const evaluation = {
    status,
    sha256: snapshot ? sha256 : null,
    scores: results === null
      ? null
      : { public: score(results.public), held_out: score(results.held_out) },
  };
  recorder.derived("final_evaluation", {
    status,
    version,
    sha256: evaluation.sha256,
    cases: results === null ? [] : [...results.public, ...results.held_out],
  });
  const all = results === null ? [] : [...results.public, ...results.held_out];
  const verified = stop === "finish_accepted" && status === "performed" &&
    sameVersion(state.finish, state.source) && all.every(passes);
  return { ...evaluation, verified };
}

interface Judged {
  readonly status: EvaluationStatus;
  readonly snapshot: boolean;
  readonly results: Results | null;
}

interface Results {
  readonly public: readonly CaseResult[];
  readonly held_out: readonly CaseResult[];
}

function judge(
  { recorder, gate, workspace }: EvaluationParts,
  state: LabState,
  stop: LabStop | LoopStop,
): Judged {
  const expired = (at: string): boolean =>
    recorder.fact(
      "stop_requested",
      at,
      () => gate.runExpired() ? { stop: "run_expired" as const } : null,
    ) !== null;
  const changed = (at: string): boolean =>
    recorder.fact("file_changed", at, () =>
      workspace.inspect({
        task: state.taskSha256,
        source: state.source.sha256,
      })) !== null;

  const none = { snapshot: false, results: null };
  if (changed("snapshot")) return { status: "workspace_conflict", ...none };
  const untested = { snapshot: true, results: null };
  if (stop === "workspace_conflict") {
    return { status: "workspace_conflict", ...untested };
  }
  if (stop === "harness_error") return { status: "unsafe", ...untested };
  if (expired("before_evaluation")) return { status: "deadline", ...untested };

  const evaluate = (cases: readonly Case[]): CaseResult[] | null => {
    const results: CaseResult[] = [];
    for (const one of cases) {
      results.push(...evaluateCases(state.expressions, [one]));
      if (expired("during_evaluation")) return null;
    }
    return results;
  };
  const shown = evaluate(PUBLIC_CASES);
  const held = shown === null ? null : evaluate(HELD_OUT_CASES);
  if (shown === null || held === null) {
    return { status: "interrupted", ...untested };
  }
  const results = { public: shown, held_out: held };
  return changed("after_evaluation")
    ? { status: "workspace_conflict", snapshot: true, results }
    : { status: "performed", snapshot: true, results };
}

function passes(result: CaseResult): boolean {
  return "actual" in result && result.actual === result.expected;
}

function score(results: readonly CaseResult[]): Score {
  return { passed: results.filter(passes).length, total: results.length };
}
