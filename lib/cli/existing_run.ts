// Where an existing run's folder is, for the commands that read one.

import { AUDIT_NAME } from "../evidence/audit_writer.ts";
import { MANIFEST_NAME } from "../evidence/manifest.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { errorCode, type Files } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { quoteTyped } from "./quote_typed.ts";

/** What a run makes first; a folder with neither has nothing of one. */
const MARKS = [MANIFEST_NAME, AUDIT_NAME] as const;

/**
 * The real path of a run's folder: it has a manifest or an audit, whatever
 * became of the other.
 *
 * @throws {CommandError} where there is none, or it may not be read.
 */
export function existingRun(files: Files, typed: string): string {
  const refuse = (why: string, next: string) =>
    new CommandError(EXIT.refused, {
      what: `Cannot open the run ${quoteTyped(typed)}`,
      why,
      next,
    });
  if (typed === "") {
    throw refuse("its name is empty", "Give the folder of a run.");
  }
  try {
    const folder = files.realPath(typed);
    if (files.facts(folder)?.kind === "directory") {
      if (MARKS.some((name) => files.facts(`${folder}/${name}`) !== null)) {
        return folder;
      }
      throw refuse(
        `it is no run's folder: it has neither ${MARKS.join(" nor ")}`,
        "Give the folder of a run.",
      );
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof Deno.errors.NotCapable) {
      throw refuse(
        "it does not lie below the current folder",
        "Change to the folder that holds it, and give its name from there.",
      );
    }
    if (errorCode(error) === "ENOENT") {
      throw refuse("there is no such folder", "Give the folder of a run.");
    }
    throw refuse(
      readWords(error),
      "Give the folder of a run that you may read.",
    );
  }
  throw refuse("it is not a folder", "Give the folder of a run.");
}
