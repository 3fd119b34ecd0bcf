// Which checkpoint a command would acquire: the lab's, or the one that a file
// below the current folder declares.

import {
  type CheckpointPlan,
  checkpointPlan,
  pinnedPlan,
} from "../acquire/checkpoint_plan.ts";
import { type Attempted, refuse } from "../acquire/refusal.ts";
import type { Files } from "../system/files.ts";
import { readCheckpointDeclaration } from "./checkpoint_declaration.ts";
import { quoteTyped } from "./quote_typed.ts";

/**
 * The plan of a declared checkpoint: one that a trial would take too.
 *
 * @param path As the user typed it; null for the lab's own checkpoint.
 */
export function declaredPlan(
  files: Files,
  path: string | null,
): Attempted<{ readonly plan: CheckpointPlan }> {
  if (path === null) return { ok: true, plan: pinnedPlan() };
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
  const declaration = JSON.parse(new TextDecoder().decode(read.bytes));
  return checkpointPlan(declaration, { pinned: false, shownAs });
}
