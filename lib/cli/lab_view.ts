// Opens the view of a run for a command.

import type { RunView } from "../evidence/run_view.ts";
import { readRunView } from "../evidence/run_view_reader.ts";
import { withLoopEvents } from "../evidence/event_schemas.ts";
import { RecoveryRefusal } from "../evidence/recovery.ts";
import { LAB_DERIVED, LAB_FACTS } from "../lab/lab_catalogue.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { errorCode, type Files } from "../system/files.ts";
import { existingRun } from "./existing_run.ts";
import { LAB_TASK } from "./lab_manifest.ts";

/**
 * The view of the run that a command names.
 *
 * @param typed Its folder, as typed.
 * @throws {CommandError} where there is no run, or none that can be read.
 */
export function openRunView(files: Files, typed: string): RunView {
  const folder = existingRun(files, typed);
  const what = `Cannot show the run ${JSON.stringify(typed)}`;
  try {
    return readRunView({
      files,
      folder,
      catalogueOf: (task) =>
        task === LAB_TASK
          ? withLoopEvents({ facts: LAB_FACTS, derived: LAB_DERIVED })
          : null,
    });
  } catch (error) {
    if (error instanceof RecoveryRefusal) {
      throw new CommandError(EXIT.evidence, {
        what,
        why: error.message,
        next: error.reason === "unknown_task"
          ? "Use the version that made the run."
          : "Give the folder of a run: it has a manifest.json that is whole.",
      });
    }
    throw new CommandError(EXIT.harness, {
      what,
      why: `the system answered ${errorCode(error)}`,
      next: "Make the run's files readable, then try again.",
    }, error);
  }
}
