// The manifest of a run that somebody hands over, and why one can't be taken.

import { readContained } from "../system/contained_file.ts";
import type { Files } from "../system/files.ts";
import { sha256 } from "../system/sha256.ts";
import type { AuditHead } from "./audit_writer.ts";
import { asClause, CONTAINMENT_WORDS } from "./evidence_files.ts";
import {
  type Manifest,
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
} from "./manifest.ts";
import { manifestSchema } from "./manifest_schema.ts";

/** Why a run can't be recovered. */
export class RecoveryRefusal extends Error {
  override readonly name = "RecoveryRefusal";
  readonly reason:
    | "no_manifest"
    | "unknown_task"
    | "still_running"
    | "evidence_differs";

  constructor(reason: RecoveryRefusal["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A run's manifest and the digest that its audit chains to.
 *
 * @throws {RecoveryRefusal} where there is none that can be read.
 */
export function readManifest(
  files: Files,
  folder: string,
): { manifest: Manifest; digest: AuditHead["head"] } {
  const read = readContained(files, folder, MANIFEST_NAME, MAX_MANIFEST_BYTES);
  if (!read.ok) {
    throw new RecoveryRefusal(
      "no_manifest",
      `${MANIFEST_NAME} can't be taken: ${
        asClause(CONTAINMENT_WORDS[read.finding])
      }`,
    );
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(read.bytes);
    return {
      manifest: manifestSchema.parse(JSON.parse(text)),
      digest: sha256(read.bytes),
    };
  } catch {
    throw new RecoveryRefusal(
      "no_manifest",
      `${MANIFEST_NAME} isn't a manifest of this format`,
    );
  }
}
