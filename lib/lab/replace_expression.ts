// Lab Part 5, replacement: read_required, stale_version, old_mismatch, the new
// expression's admission, no_change; then backup, intent, commit, receipt.

import type { Gate } from "../agent/gate.ts";
import type { Action } from "./contract/action.ts";
import { admitExpression } from "./expression/admit_expression.ts";
import { generateSource } from "./expression/source_wrapper.ts";
import type { EditFault, FoundBytes, LabRecorder } from "./lab_events.ts";
import { type LabState, sourceText } from "./lab_state.ts";
import { expressionTexts } from "./managed_files.ts";
import {
  type LabOutcome,
  type Refusal,
  refusal,
  stopped,
  success,
} from "./observation.ts";
import { sha256 } from "../system/sha256.ts";
import {
  backupName,
  type PreparedEdit,
  temporaryName,
  type Workspace,
} from "./workspace.ts";

/** What a replacement works with. */
export interface ReplaceParts {
  readonly state: LabState;
  readonly recorder: LabRecorder;
  readonly gate: Gate;
  readonly workspace: Workspace;
}

/** Carries out `replace` on a workspace that was just found intact. */
export function replaceExpression(
  parts: ReplaceParts,
  action: Extract<Action, { action: "replace" }>,
): LabOutcome {
  const { state } = parts;
  const { version } = state.source;
  const refuse = (error: Refusal["error"], message: string) =>
    refusal({ action: "replace", error, message, version });

  if (!state.sourceRead) {
    return refuse("read_required", "Read toy_math.py before editing it");
  }
  if (action.version !== version) {
    return refuse(
      "stale_version",
      `The current version is ${version}, not ${action.version}`,
    );
  }
  const name = action.function;
  if (action.old !== state.expressions[name].text) {
    return refuse(
      "old_mismatch",
      `"old" must be the exact current expression of ${name}`,
    );
  }
  const admission = admitExpression(name, action.new);
  if (!admission.ok) return refuse(admission.code, admission.message);
  if (action.new === action.old) {
    return success({
      ok: true,
      action: "replace",
      status: "no_change",
      function: name,
      old_version: version,
      version,
      sha256: state.source.sha256,
      expressions: expressionTexts(state.expressions),
    });
  }
  const expressions = {
    ...state.expressions,
    [name]: admission.expression,
  };
  return parts.recorder.timed(
    "edit",
    () => commitEdit(parts, name, expressions),
  );
}

function commitEdit(
  { state, recorder, gate, workspace }: ReplaceParts,
  name: "clamp" | "total",
  expressions: LabState["expressions"],
): LabOutcome {
  const encoder = new TextEncoder();
  const after = encoder.encode(generateSource(expressionTexts(expressions)));
  const { version: oldVersion, sha256: before } = state.source;
  const edit: PreparedEdit = {
    oldVersion,
    expected: { task: state.taskSha256, source: before },
    before: encoder.encode(sourceText(state)),
    after,
  };
  const unbacked = recorder.fact(
    "edit_fault",
    "backup",
    () => workspace.backUp(edit),
  );
  if (unbacked !== null) return faulted(state, unbacked);

  state.openEdit = { function: name, expressions, after: sha256(after) };
  recorder.derived("edit_intent", {
    function: name,
    old_version: oldVersion,
    before,
    after: state.openEdit.after,
    backup: backupName(oldVersion),
    temporary: temporaryName(oldVersion),
  });
  const fault = recorder.fact(
    "edit_fault",
    "commit",
    () => workspace.commit(edit, () => gate.stop()),
  );
  const committed = closeEdit(state, recorder, fault);
  if (fault !== null && !committed) return faulted(state, fault);
  return success({
    ok: true,
    action: "replace",
    status: "edit_committed",
    function: name,
    old_version: oldVersion,
    version: state.source.version,
    sha256: state.source.sha256,
    expressions: expressionTexts(state.expressions),
  });
}

/**
 * Closes the open edit by what is on disk, and records the receipt.
 *
 * @returns Whether the edit is committed.
 */
export function closeEdit(
  state: LabState,
  recorder: LabRecorder,
  fault:
    | {
      readonly cause: EditFault["cause"] | "process_died";
      readonly found: FoundBytes;
    }
    | null,
): boolean {
  const edit = state.openEdit;
  if (edit === null) throw new Error("There is no open edit to close");
  const { version, sha256 } = state.source;
  // The receipt first: where a record ends before it, the edit is open still,
  // and recovery closes it by the bytes on disk.
  if (fault === null || fault.found === "after") {
    const source = { version: version + 1, sha256: edit.after };
    recorder.derived("edit_committed", {
      ...source,
      reconciled: fault !== null,
    });
    state.source = source;
    state.expressions = edit.expressions;
    state.openEdit = null;
    return true;
  }
  if (fault.found === "before" && fault.cause !== "target_changed") {
    recorder.derived("edit_abandoned", {
      version,
      sha256,
      cause: fault.cause,
    });
  }
  state.openEdit = null;
  return false;
}

/** The outcome of an edit that isn't there. */
function faulted(state: LabState, fault: EditFault): LabOutcome {
  const { version } = state.source;
  const action = "replace";
  const { cause, error, step } = fault;
  if (fault.found !== "before" || cause === "target_changed") {
    return stopped(
      {
        action,
        error: "workspace_conflict",
        message: "A managed file was changed from outside during the edit",
        version,
      },
      "workspace_conflict",
      `${step}: ${error ?? cause}`,
    );
  }
  switch (cause) {
    case "cancelled":
      return stopped({
        action,
        error: "cancelled",
        message: "The run was cancelled before the edit committed",
        version,
      }, "cancelled");
    case "call_expired":
    case "run_expired":
      return stopped(
        {
          action,
          error: "time_limit",
          message: "A deadline passed before the edit committed",
          version,
        },
        "time_limit",
        cause,
      );
    case "io":
      return stopped(
        {
          action,
          error: "harness_error",
          message: "The edit could not be written; the source is unchanged",
          version,
        },
        "harness_error",
        `${step}: ${error ?? "unknown"}`,
      );
  }
}
