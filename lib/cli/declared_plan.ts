// Which checkpoint a command would acquire: the lab's, or the one that a file
// below the current folder declares.

import {
  type CheckpointPlan,
  checkpointPlan,
  pinnedPlan,
} from "../acquire/checkpoint_plan.ts";
import { type Attempted, refuse } from "../acquire/refusal.ts";
import {
  type CheckpointManifest,
  PINNED_CHECKPOINT,
} from "../model/checkpoint_manifest.ts";
import type { Files } from "../system/files.ts";
import { readCheckpointDeclaration } from "./checkpoint_declaration.ts";
import { quoteTyped } from "./quote_typed.ts";

/** A checkpoint that a trial takes, whether or not it can be acquired. */
export interface DeclaredTrial {
  readonly manifest: CheckpointManifest;
  /** The plan of its acquisition, or why there is none. */
  readonly planned: Attempted<{ readonly plan: CheckpointPlan }>;
}

/**
 * The plan of a declared checkpoint: one that a trial would take too.
 *
 * @param path As the user typed it; null for the lab's own checkpoint.
 */
export function declaredPlan(
  files: Files,
  path: string | null,
): Attempted<{ readonly plan: CheckpointPlan }> {
  const declared = declaredTrial(files, path);
  return declared.ok ? declared.planned : declared;
}

/**
 * A declared checkpoint, as a trial takes it.
 *
 * @param path As the user typed it; null for the lab's own checkpoint.
 */
export function declaredTrial(
  files: Files,
  path: string | null,
): Attempted<DeclaredTrial> {
  if (path === null) {
    const planned = { ok: true, plan: pinnedPlan() } as const;
    return { ok: true, manifest: PINNED_CHECKPOINT, planned };
  }
  const shownAs = quoteTyped(path);
  const read = readCheckpointDeclaration(files, path);
  if (!read.ok) {
    return refuse(
      "checkpoint_invalid",
      `Cannot use the checkpoint declaration ${shownAs}`,
      read.why,
      "Give a JSON file below the current folder that declares one",
    );
  }
  const { manifest, bytes } = read;
  const lacks = manifest.repository === null
    ? "repository"
    : manifest.revision === null
    ? "revision"
    : null;
  const planned = lacks === null
    ? checkpointPlan(JSON.parse(new TextDecoder().decode(bytes)), {
      pinned: false,
      shownAs,
    })
    : refuse(
      "checkpoint_invalid",
      `Cannot plan an acquisition of the checkpoint ${shownAs}`,
      `it names no ${lacks}: there is nothing to acquire`,
      "A trial can use it, with the files that you have",
    );
  return { ok: true, manifest, planned };
}
