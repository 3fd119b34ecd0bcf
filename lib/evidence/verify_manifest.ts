// The manifest: its format, its declared facts, and everything in it that
// follows from this program's own texts and fixtures.

import { issueDifference } from "../system/issue_difference.ts";
import { type Sha256, sha256 } from "../system/sha256.ts";
import { VERSION } from "../system/version.ts";
import { readJsonFile } from "./evidence_files.ts";
import { firstDifference, showValue } from "./first_difference.ts";
import {
  type Manifest,
  MANIFEST_NAME,
  manifestBytes,
  MAX_MANIFEST_BYTES,
} from "./manifest.ts";
import { manifestSchema } from "./manifest_schema.ts";
import type { TaskVerification, VerifyParts } from "./verify.ts";
import type { CheckList, Difference } from "./verify_report.ts";

/** A manifest that holds. */
export interface VerifiedManifest {
  readonly manifest: Manifest;
  /** Digest of its bytes: what the audit chains to. */
  readonly digest: Sha256;
  readonly task: TaskVerification;
}

const ROW = "manifest";

/**
 * Verifies a run's manifest.
 *
 * @param notes Told what another version of the program made.
 * @throws {Refuted} where it doesn't hold.
 */
export async function verifyManifest(
  { files, folder, taskOf }: VerifyParts,
  checks: CheckList,
  notes: string[],
): Promise<VerifiedManifest> {
  const refute = (
    message: string,
    place: Omit<Partial<Difference>, "message"> = {},
  ) => checks.refute(ROW, { file: MANIFEST_NAME, message, ...place });

  const read = readJsonFile(files, folder, MANIFEST_NAME, MAX_MANIFEST_BYTES);
  if (!read.ok) {
    throw refute(read.message, read.missing ? { code: "missing_file" } : {});
  }
  const { error } = manifestSchema.safeParse(read.value);
  if (error !== undefined) {
    const { place, ...values } = issueDifference(error, read.value);
    throw refute("It isn't a manifest of this format", {
      field: place || "the whole file",
      ...values,
    });
  }
  const manifest = read.value as unknown as Manifest;
  const task = taskOf(manifest.task);
  if (task === null) {
    throw refute("This program doesn't know the task", {
      field: "task",
      found: showValue(manifest.task),
    });
  }
  const contradiction = await task.contradictionIn(manifest);
  if (contradiction !== null) {
    const { message, ...place } = contradiction;
    throw refute(message, place);
  }
  const derived = task.expectedManifest(manifest);
  const difference = firstDifference(
    JSON.parse(JSON.stringify(derived)),
    read.value,
  );
  if (difference !== null) {
    const { path, ...values } = difference;
    throw refute("It isn't what this program writes for such a run", {
      field: path,
      ...values,
    });
  }
  if (!sameBytes(manifestBytes(derived), read.bytes)) {
    throw refute("It isn't laid out as this program writes it");
  }
  if (manifest.digests["harness"] !== task.harness) {
    notes.push(
      `${otherProgram(manifest)} made the run; what follows from its facts ` +
        "is derived by this one.",
    );
  }
  checks.count(ROW, Object.keys(manifest).length);
  checks.close(ROW);
  return { manifest, digest: sha256(read.bytes), task };
}

/** The program that made a run, where its harness isn't this one's. */
function otherProgram({ runtime }: Manifest): string {
  const version = runtime["tinycoder"];
  return version === VERSION
    ? `A program of other source texts, which calls itself ${VERSION} too,`
    : `Another version of the program (${
      version === undefined ? "it isn't named" : showValue(version)
    }; this is ${VERSION})`;
}

/** Whether two byte strings are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
