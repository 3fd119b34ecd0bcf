// Opens the view of a run for a command.

import type { Finding, RunView } from "../evidence/run_view.ts";
import { readRunView } from "../evidence/run_view_reader.ts";
import { withLoopEvents } from "../evidence/event_schemas.ts";
import { RecoveryRefusal } from "../evidence/read_manifest.ts";
import { LAB_DERIVED, LAB_FACTS } from "../lab/lab_catalogue.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { isDenied } from "../system/error_code.ts";
import type { Files } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { shellWord } from "../system/shell_word.ts";
import { existingRun } from "./existing_run.ts";
import { LAB_TASK } from "./lab_manifest.ts";
import { verifyView } from "./verify.ts";
import { quoteTyped } from "./quote_typed.ts";

/**
 * The view of the run that a command names.
 *
 * @param typed Its folder, as typed.
 * @throws {CommandError} where there is no run, or none that can be read.
 */
export function openRunView(files: Files, typed: string): RunView {
  return viewOf(files, existingRun(files, typed), typed);
}

function viewOf(files: Files, folder: string, typed: string): RunView {
  const what = `Cannot show the run ${quoteTyped(typed)}`;
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
    throw new CommandError(isDenied(error) ? EXIT.refused : EXIT.harness, {
      what,
      why: `one of its files can't be read: ${readWords(error)}`,
      next: "Make the run's files readable, then try again.",
    }, error);
  }
}

/**
 * {@link openRunView}, with the run's evidence derived again, as far as it goes:
 * what doesn't hold is a finding, so that no view repeats a claim it could have
 * checked.
 *
 * @throws {CommandError} where there is no run, or none that can be read.
 */
export async function openCheckedView(
  files: Files,
  typed: string,
): Promise<RunView> {
  const folder = existingRun(files, typed);
  const view = viewOf(files, folder, typed);
  if (view.findings.length > 0) return view;
  const discrepancy = await verifyView(files, folder, typed, view);
  if (discrepancy === null) return view;
  const { file, line, message } = discrepancy;
  return { ...view, findings: [...view.findings, { file, line, message }] };
}

/**
 * What a command makes of views. Content that no run has may not even fit into
 * words; then it is told what doesn't hold, and nothing else.
 *
 * @throws {CommandError} where it doesn't, and whatever else `make` throws.
 */
export function madeOfViews<T>(
  runs: readonly { readonly view: RunView; readonly typed: string }[],
  make: () => T,
): T {
  try {
    return make();
  } catch (error) {
    const broken = runs.find(({ view }) => view.findings.length > 0);
    if (broken === undefined || error instanceof CommandError) throw error;
    const [{ file, line, message }] = broken.view.findings as [Finding];
    throw new CommandError(EXIT.evidence, {
      what: `Cannot show the run ${quoteTyped(broken.typed)}`,
      why: `its evidence doesn't hold: ${file}${
        line === null ? "" : `, line ${line}`
      }: ${message}`,
      next: `See: tinycoder verify ${shellWord(broken.typed)}`,
    }, error);
  }
}
