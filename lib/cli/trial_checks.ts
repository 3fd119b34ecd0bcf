// What can be said of a model folder before anything is asked, read whole or
// made: where it lies, which checkpoint is declared, and whether its core trial
// is still there.

import { trialFault } from "../acquire/core_trial.ts";
import { pinnedPlan } from "../acquire/checkpoint_plan.ts";
import { readLedger } from "../acquire/ledger.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
import {
  type CheckpointManifest,
  MAX_MANIFEST_FILE_BYTES,
  PINNED_CHECKPOINT,
  readCheckpointManifest,
} from "../model/checkpoint_manifest.ts";
import { ModelRefusal } from "../model/model_refusal.ts";
import { CommandError } from "../system/command_error.ts";
import { readContained } from "../system/contained_file.ts";
import type { Files } from "../system/files.ts";
import type { Refuse } from "../system/fresh_folder.ts";

/** The real path of a model folder below the current one. */
export function modelFolder(
  files: Files,
  typed: string,
  refuse: Refuse,
): string {
  const next = "Give the model's folder, below the current one.";
  try {
    const folder = files.realPath(typed);
    if (!folder.startsWith(`${files.realPath(".")}/`)) {
      throw refuse("it does not lie below the current folder", next);
    }
    if (files.facts(folder)?.kind === "directory") return folder;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refuse(
      error instanceof Deno.errors.NotCapable
        ? "it does not lie below the current folder"
        : "there is no such folder",
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
  const shown = JSON.stringify(typed);
  const next = "Give a checkpoint's manifest, below the current folder.";
  try {
    const path = files.realPath(typed);
    const cut = path.lastIndexOf("/");
    const read = readContained(
      files,
      path.slice(0, cut),
      path.slice(cut + 1),
      MAX_MANIFEST_FILE_BYTES,
    );
    if (read.ok) return readCheckpointManifest(read.bytes);
    throw refuse(`the manifest ${shown} is ${read.finding}`, next);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refuse(
      error instanceof ModelRefusal
        ? `the manifest ${shown} can't be used: ${error.message}`
        : `the manifest ${shown} can't be read`,
      next,
    );
  }
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
  const acquire = `tinycoder acquire --directory ${shownAs}`;
  if (!read.ok) {
    throw refuse(
      `it has no ledger of an acquisition: ${read.why}`,
      `Acquire the checkpoint, or have your files verified: ${acquire} --from DIR`,
    );
  }
  if (read.content.status !== "verified") {
    throw refuse(
      "not all of its files are verified",
      `Complete it first: ${acquire}`,
    );
  }
  const fault = trialFault(read.content, "");
  if (fault !== null) throw refuse(fault.refusal.why, `${fault.refusal.next}`);
}
