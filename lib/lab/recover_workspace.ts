// Lab Parts 5 and 9: after a process died, an open edit is closed by comparing
// the bytes on disk with the recorded digests. Nothing is written.

import type { FinalEvaluation } from "./evaluation.ts";
import type { LabRecorder, WorkspaceFound } from "./lab_events.ts";
import type { LabState } from "./lab_state.ts";
import { closeEdit } from "./replace_expression.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Closes the open edit, if there is one, and takes the snapshot.
 *
 * @returns A report that evaluates nothing, and never claims success.
 */
export function recoverWorkspace(
  recorder: LabRecorder,
  workspace: Workspace,
  state: LabState,
): FinalEvaluation {
  const found = recorder.fact(
    "workspace_found",
    "recovery",
    () => look(workspace, state),
  );
  if (found === null) throw new Error("The workspace was not looked at");
  if (state.openEdit !== null) {
    closeEdit(state, recorder, { cause: "process_died", found: found.bytes });
  }
  const intact = found.bytes !== "other";
  const status = intact ? "unperformed" : "workspace_conflict";
  const { version, sha256 } = state.source;
  const digest = intact ? sha256 : null;
  recorder.derived("final_evaluation", {
    status,
    version,
    sha256: digest,
    cases: [],
  });
  return { status, verified: false, sha256: digest, scores: null };
}

/**
 * Compares the bytes on disk with what may be there.
 *
 * @throws The system's error where they can't be read: what is sealed here
 * stays, so a fault that may pass mustn't be taken for a changed file.
 */
function look(workspace: Workspace, state: LabState): WorkspaceFound {
  const task = state.taskSha256;
  const change = workspace.inspect({ task, source: state.source.sha256 });
  if (change === null) return { bytes: "before", change };
  if (
    state.openEdit !== null &&
    workspace.inspect({ task, source: state.openEdit.after }) === null
  ) return { bytes: "after", change: null };
  return { bytes: "other", change };
}
