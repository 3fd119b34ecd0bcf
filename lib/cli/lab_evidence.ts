// Puts the lab's task and the evidence together: neither knows the other.

import type { JsonObject } from "../agent/json.ts";
import type { Recorder } from "../agent/recorder.ts";
import type { Task } from "../agent/task.ts";
import { withLoopEvents } from "../evidence/event_schemas.ts";
import type { TaskEvidence } from "../evidence/rederive.ts";
import { LAB_DERIVED, LAB_FACTS } from "../lab/lab_catalogue.ts";
import type { LabRecorder } from "../lab/lab_events.ts";
import { LabTask } from "../lab/lab_task.ts";
import { openWorkspace, type Workspace } from "../lab/workspace.ts";
import type { Files } from "../system/files.ts";
import { LAB_TASK } from "./lab_manifest.ts";

/** The lab's task over recorded facts; the disk is asked on recovery only. */
export function labEvidence(workspace: Workspace): TaskEvidence {
  return {
    name: LAB_TASK,
    catalogue: withLoopEvents({ facts: LAB_FACTS, derived: LAB_DERIVED }),
    replay: (recorder: Recorder, gate) =>
      new LabTask({
        recorder: recorder as unknown as LabRecorder,
        gate,
        workspace,
      }) as unknown as Task<JsonObject, string>,
  };
}

/** The task that a manifest names, over the files of its run's folder. */
export function evidenceOf(
  files: Files,
  folder: string,
): (task: string) => TaskEvidence | null {
  return (task) =>
    task === LAB_TASK ? labEvidence(openWorkspace(files, folder)) : null;
}
