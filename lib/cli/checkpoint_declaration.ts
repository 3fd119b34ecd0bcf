// The file of `--checkpoint FILE`: read in one way, whether its checkpoint is to
// be acquired or tried, so that nothing is brought here that no trial would take.

import { asClause, CONTAINMENT_WORDS } from "../evidence/evidence_files.ts";
import {
  type CheckpointManifest,
  MAX_MANIFEST_FILE_BYTES,
  readCheckpointManifest,
} from "../model/checkpoint_manifest.ts";
import { ModelRefusal } from "../model/model_refusal.ts";
import { readContained } from "../system/contained_file.ts";
import type { Files } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";

/** A declaration, or why it can't be taken, as a clause about "it". */
export type CheckpointDeclaration =
  | {
    readonly ok: true;
    readonly manifest: CheckpointManifest;
    /** One JSON object without duplicate keys. */
    readonly bytes: Uint8Array;
  }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a checkpoint's declaration, a plain file below the current folder.
 *
 * @param typed Its path, as the user typed it.
 */
export function readCheckpointDeclaration(
  files: Files,
  typed: string,
): CheckpointDeclaration {
  const fail = (why: string): CheckpointDeclaration => ({ ok: false, why });
  if (typed === "") return fail("its name is empty");
  try {
    const path = files.realPath(typed);
    if (!path.startsWith(`${files.realPath(".")}/`)) {
      return fail("it does not lie below the current folder");
    }
    const cut = path.lastIndexOf("/");
    const read = readContained(
      files,
      path.slice(0, cut),
      path.slice(cut + 1),
      MAX_MANIFEST_FILE_BYTES,
    );
    if (read.ok) {
      const manifest = readCheckpointManifest(read.bytes);
      return { ok: true, manifest, bytes: read.bytes };
    }
    return fail(
      read.finding === "too_large"
        ? `it has more than ${MAX_MANIFEST_FILE_BYTES} bytes`
        : asClause(CONTAINMENT_WORDS[read.finding]),
    );
  } catch (error) {
    return fail(
      error instanceof ModelRefusal
        ? asClause(error.message)
        : readWords(error),
    );
  }
}
