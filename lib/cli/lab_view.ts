// Opens the view of a run for a command.

import type { RunView } from "../evidence/run_view.ts";
import { readRunView } from "../evidence/run_view_reader.ts";
import { withLoopEvents } from "../evidence/event_schemas.ts";
import { RecoveryRefusal } from "../evidence/read_manifest.ts";
import { LAB_DERIVED, LAB_FACTS } from "../lab/lab_catalogue.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { errorCode, type Files } from "../system/files.ts";
import { existingRun } from "./existing_run.ts";
import { LAB_TASK } from "./lab_manifest.ts";
import { verifyFolder } from "./verify.ts";

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

/**
 * {@link openRunView}, with the run's evidence derived again where it is closed:
 * what doesn't hold is a finding, so that no view repeats a claim it could have
 * checked.
 *
 * @throws {CommandError} where there is no run, or none that can be read.
 */
export async function openCheckedView(
  files: Files,
  typed: string,
): Promise<RunView> {
  const view = openRunView(files, typed);
  if (view.state === "unfinished" || view.findings.length > 0) return view;
  const folder = existingRun(files, typed);
  const { discrepancy } = await verifyFolder(files, folder, typed);
  if (discrepancy === null) return view;
  const { file, line, message } = discrepancy;
  return { ...view, findings: [...view.findings, { file, line, message }] };
}
