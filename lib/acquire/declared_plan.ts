// Which checkpoint a command is about: the lab's, or the one that a file below the
// current folder declares.

import { errorCode, type Files } from "../system/files.ts";
import { toPlainJson } from "../system/plain_json.ts";
import { scanJson } from "../system/strict_json.ts";
import {
  type CheckpointPlan,
  checkpointPlan,
  pinnedPlan,
} from "./checkpoint_plan.ts";
import { type Attempted, refuse } from "./refusal.ts";

/** Most bytes of a declaration. */
export const MAX_DECLARATION_BYTES = 64 * 1024;

/**
 * Reads a checkpoint's declaration.
 *
 * @param path As the user typed it; null for the lab's own checkpoint.
 */
export function declaredPlan(
  files: Files,
  path: string | null,
): Attempted<{ readonly plan: CheckpointPlan }> {
  if (path === null) return { ok: true, plan: pinnedPlan() };
  const shownAs = `"${path}"`;
  const fail = (why: string) =>
    refuse(
      "checkpoint_invalid",
      `Cannot use the checkpoint declaration ${shownAs}`,
      why,
      "Give a JSON file below the current folder that declares one",
    );
  let bytes: Uint8Array;
  try {
    const file = files.open(path);
    try {
      if (file.facts().kind !== "file") return fail("it is not a file");
      bytes = file.read(MAX_DECLARATION_BYTES + 1);
    } finally {
      file.close();
    }
  } catch (error) {
    return fail(
      errorCode(error) === "ENOENT"
        ? "there is no such file"
        : error instanceof Deno.errors.NotCapable
        ? "it does not lie below the current folder"
        : `the system answered ${errorCode(error)}`,
    );
  }
  if (bytes.length > MAX_DECLARATION_BYTES) {
    return fail(`it has more than ${MAX_DECLARATION_BYTES} bytes`);
  }
  const scan = scanJson(bytes, { maxDepth: 8 });
  if (!scan.ok) return fail(scan.message);
  const plain = toPlainJson(scan.value);
  if (!plain.ok) return fail(plain.message);
  return checkpointPlan(plain.value, { pinned: false, shownAs });
}
