// Lab 16 as a task of the loop: the dispatcher with its four actions.

import type { Gate } from "../agent/gate.ts";
import type { JsonObject } from "../agent/json.ts";
import type { LoopStop, Measure, Task, Verdict } from "../agent/task.ts";
import { evaluateFinalSource, type FinalEvaluation } from "./evaluation.ts";
import type { Action } from "./contract/action.ts";
import { admitProposal } from "./contract/admit_proposal.ts";
import { evaluateCases } from "./expression/evaluate_cases.ts";
import type { LabRecorder } from "./lab_events.ts";
import {
  initialState,
  type LabState,
  sameVersion,
  sourceText,
} from "./lab_state.ts";
import type { LabStop } from "./lab_stop.ts";
import {
  expressionTexts,
  type ManagedFile,
  TASK_TEXT,
} from "./managed_files.ts";
import {
  type LabOutcome,
  type Refusal,
  refusal,
  stopped,
  success,
} from "./observation.ts";
import { PUBLIC_CASES } from "./cases.ts";
import { recoverWorkspace } from "./recover_workspace.ts";
import { replaceExpression } from "./replace_expression.ts";
import {
  assembleRequest,
  type Assembly,
  type LogEntry,
} from "./request_assembly.ts";
import type { Workspace } from "./workspace.ts";

/** Most proposals in a run (lab Part 9). */
export const MAX_PROPOSALS = 6;
/** Most consecutive invalid proposals (lab Part 9). */
export const MAX_CONSECUTIVE_INVALID = 2;

/** What the lab task works with. */
export interface LabParts {
  readonly recorder: LabRecorder;
  readonly gate: Gate;
  readonly workspace: Workspace;
}

/** Repairs two integer expressions of a toy file, by a closed contract. */
export class LabTask implements Task<Action, LabStop> {
  readonly limits = {
    proposals: MAX_PROPOSALS,
    invalid: MAX_CONSECUTIVE_INVALID,
  };
  readonly #parts: LabParts;
  readonly #state: LabState = initialState();
  readonly #log: LogEntry[] = [];
  #evaluation: FinalEvaluation | null = null;

  constructor(parts: LabParts) {
    this.#parts = parts;
  }

  assemble(measure: Measure): Promise<Assembly> {
    const { recorder } = this.#parts;
    const remaining = MAX_PROPOSALS - recorder.proposalNumber + 1;
    return assembleRequest(
      this.#state,
      remaining,
      this.#log,
      measure,
      (omission) => recorder.derived("observations_omitted", omission),
    );
  }

  admit(proposal: Uint8Array): Verdict<Action, LabStop> {
    const admission = admitProposal(proposal);
    if (admission.ok) return { action: admission.action };
    const { action, error, message } = admission;
    const { version } = this.#state.source;
    return { refused: refusal({ action, error, message, version }) };
  }

  perform(action: Action): LabOutcome {
    const { source, taskSha256 } = this.#state;
    const change = this.#parts.recorder.fact(
      "file_changed",
      "before_dispatch",
      () =>
        this.#parts.workspace.inspect({
          task: taskSha256,
          source: source.sha256,
        }),
    );
    if (change !== null) {
      return stopped(
        {
          action: action.action,
          error: "workspace_conflict",
          message: `${change.file} isn't what the controller recorded`,
          version: source.version,
        },
        "workspace_conflict",
        `${change.file}: ${change.finding}`,
      );
    }
    switch (action.action) {
      case "read":
        return this.#read(action.file);
      case "replace":
        return replaceExpression(
          { ...this.#parts, state: this.#state },
          action,
        );
      case "test":
        return this.#parts.recorder.timed("test", () => this.#test());
      case "finish":
        return this.#finish(action.version);
    }
  }

  remember(outcome: LabOutcome, eventId: number): void {
    const { proposalNumber } = this.#parts.recorder;
    const { observation } = outcome;
    this.#log.push({ proposalNumber, eventId, observation });
  }

  evaluate(stop: LabStop | LoopStop): JsonObject {
    this.#evaluation = evaluateFinalSource(this.#parts, this.#state, stop);
    return this.#report(this.#evaluation);
  }

  recover(): JsonObject {
    const { recorder, workspace } = this.#parts;
    const recovered = this.#evaluation ??
      recoverWorkspace(recorder, workspace, this.#state);
    return this.#report({ ...recovered, verified: false });
  }

  /** Puts an observation into the log that no action made (lab Part 7). */
  injectObservation(observation: JsonObject): void {
    this.#log.push({ proposalNumber: 0, eventId: 0, observation });
  }

  #read(file: ManagedFile): LabOutcome {
    const { source, taskSha256, expressions } = this.#state;
    const { version } = source;
    const fields = { ok: true, action: "read", file, version };
    if (file === "TASK.txt") {
      return success({ ...fields, sha256: taskSha256, content: TASK_TEXT });
    }
    const outcome = success({
      ...fields,
      sha256: source.sha256,
      content: sourceText(this.#state),
      expressions: expressionTexts(expressions),
    });
    if (outcome.counts === "valid") this.#state.sourceRead = true;
    return outcome;
  }

  #test(): LabOutcome {
    if (!this.#state.sourceRead) {
      return this.#refuse(
        "test",
        "read_required",
        "Read toy_math.py before testing it",
      );
    }
    const { expressions, source } = this.#state;
    const cases = evaluateCases(expressions, PUBLIC_CASES);
    const passed =
      cases.filter((one) => "actual" in one && one.actual === one.expected)
        .length;
    const score = { passed, total: cases.length };
    const outcome = success({
      ok: true,
      action: "test",
      ...source,
      ...score,
      cases,
    });
    if (outcome.counts === "valid") {
      this.#state.lastTest = { ...source, ...score };
    }
    return outcome;
  }

  #finish(proposed: number): LabOutcome {
    const { source, lastTest } = this.#state;
    const { version, sha256 } = source;
    if (proposed !== version) {
      return this.#refuse(
        "finish",
        "stale_version",
        `The current version is ${version}, not ${proposed}`,
      );
    }
    if (
      lastTest === null || !sameVersion(lastTest, source) ||
      lastTest.passed !== lastTest.total
    ) {
      return this.#refuse(
        "finish",
        "tests_not_passing",
        "Finish needs a passing public test of the current version",
      );
    }
    const outcome = success({
      ok: true,
      action: "finish",
      status: "finish_accepted",
      version,
      sha256,
    }, "finish_accepted");
    this.#state.finish = { version, sha256 };
    return outcome;
  }

  #refuse(
    action: string,
    error: Refusal["error"],
    message: string,
  ): LabOutcome {
    const { version } = this.#state.source;
    return refusal({ action, error, message, version });
  }

  /** The final report's part that belongs to the task. */
  #report(evaluation: FinalEvaluation): JsonObject {
    const { source, lastTest, finish } = this.#state;
    const { status, verified, scores } = evaluation;
    return {
      verified_success: verified,
      version: source.version,
      sha256: evaluation.sha256,
      last_public_test: lastTest === null ? null : { ...lastTest },
      finish: finish === null ? null : { ...finish },
      public: scores?.public ?? null,
      held_out: scores?.held_out ?? null,
      final_evaluation: status,
    };
  }
}
