// What can be said of a model folder before anything is asked, read whole or
// made: where it lies, which checkpoint is declared, and whether its core trial
// is still there.

import { spoiledFault, trialFault } from "../acquire/core_trial.ts";
import { LEDGER_NAME, pinnedPlan } from "../acquire/checkpoint_plan.ts";
import { bringBack } from "../acquire/file_fault.ts";
import { readLedger } from "../acquire/ledger.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
import { asClause } from "../evidence/evidence_files.ts";
import { verifyCheckpoint } from "../model/checkpoint_files.ts";
import {
  type CheckpointManifest,
  PINNED_CHECKPOINT,
} from "../model/checkpoint_manifest.ts";
import { requireDeclaredEntries } from "../model/declared_entries.ts";
import { ModelRefusal } from "../model/model_refusal.ts";
import { CommandError } from "../system/command_error.ts";
import { counted } from "../system/counted.ts";
import { errorCode } from "../system/error_code.ts";
import type { Files } from "../system/files.ts";
import type { Refuse } from "../system/fresh_folder.ts";
import { readWords } from "../system/read_words.ts";
import { shellWord } from "../system/shell_word.ts";
import { readCheckpointDeclaration } from "./checkpoint_declaration.ts";
import { quoteTyped } from "./quote_typed.ts";

/** The real path of a model folder below the current one. */
export function modelFolder(
  files: Files,
  typed: string,
  refuse: Refuse,
): string {
  const next = "Give the model's folder, below the current one.";
  if (typed === "") throw refuse("its name is empty", next);
  try {
    const folder = files.realPath(typed);
    if (!folder.startsWith(`${files.realPath(".")}/`)) {
      throw refuse("it does not lie below the current folder", next);
    }
    if (files.facts(folder)?.kind === "directory") return folder;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refuse(
      errorCode(error) === "ENOENT"
        ? "there is no such folder"
        : readWords(error),
      next,
    );
  }
  throw refuse("it is not a folder", next);
}

/** The checkpoint that a manifest file declares; the pinned one without it. */
export function declaredCheckpoint(
  files: Files,
  typed: string | undefined,
  refuse: Refuse,
): CheckpointManifest {
  if (typed === undefined) return PINNED_CHECKPOINT;
  const read = readCheckpointDeclaration(files, typed);
  if (read.ok) return read.manifest;
  throw refuse(
    `the manifest ${quoteTyped(typed)} can't be used: ${read.why}`,
    "Give a checkpoint's manifest, below the current folder.",
  );
}

/** Most characters of what an extension declares: every view repeats it. */
export const MAX_EXTENSION_CHARACTERS = 1_000;

/** Why a text declares no extension, as a clause; null where it does. */
export function extensionFault(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text.trim() === "") return "its text is empty";
  const { length } = [...text];
  return length <= MAX_EXTENSION_CHARACTERS
    ? null
    : `its text has ${counted(length, "character")}; the most is ` +
      MAX_EXTENSION_CHARACTERS.toLocaleString("en");
}

/** Says before anything is asked or made that there is no core trial to take. */
export function requireCoreTrial(
  files: Files,
  folder: string,
  shownAs: string,
  refuse: Refuse,
): void {
  const place = {
    files,
    folder,
    shownAs,
    plan: pinnedPlan(),
    limits: LAB_LIMITS,
  };
  const read = readLedger(place);
  const acquire = `tinycoder acquire --directory ${shellWord(shownAs)}`;
  if (!read.ok) {
    throw files.facts(`${folder}/${LEDGER_NAME}`) === null
      ? refuse(
        "it has no ledger of an acquisition",
        "Have your files verified in a new folder: tinycoder acquire " +
          `--directory NEW --from ${shellWord(shownAs)}`,
      )
      : refuse(
        `its ledger can't be used: ${read.why}`,
        "Bring its files into a new folder: tinycoder acquire --directory NEW " +
          `--from ${shellWord(shownAs)}`,
      );
  }
  if (read.content.status !== "verified") {
    throw refuse(
      "not all of its files are verified",
      `Complete it first: ${acquire}`,
    );
  }
  const fault = trialFault(read.content, "") ??
    spoiledFault(place, read.content);
  if (fault !== null) throw refuse(fault.refusal.why, `${fault.refusal.next}`);
}

/**
 * Says before anything is asked or made that a declared checkpoint's files
 * aren't all there with their sizes; their contents are the worker's to compare.
 */
export function requireEntries(
  folder: string,
  manifest: CheckpointManifest,
  refuse: Refuse,
): void {
  try {
    requireDeclaredEntries(folder, manifest);
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    throw refuse(
      asClause(error.message),
      "Give a folder that holds the checkpoint's files, and nothing else.",
    );
  }
}

/**
 * Reads all of a checkpoint before the core trial is taken: what the model's
 * worker would refuse must not use it up.
 */
export function requireCheckpoint(
  folder: string,
  manifest: CheckpointManifest,
  shownAs: string,
  refuse: Refuse,
): void {
  try {
    verifyCheckpoint(folder, manifest).close();
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    throw refuse(asClause(error.message), bringBack(shownAs));
  }
}
