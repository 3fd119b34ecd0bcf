// What lies in a run's folder: each name must be one that a run makes.

import { openEvidence, readJsonFile } from "./evidence_files.ts";
import { AUDIT_NAME } from "./audit_writer.ts";
import { FINAL_NAME, MAX_FINAL_BYTES } from "./final_report.ts";
import { MANIFEST_NAME } from "./manifest.ts";
import { RECOVERY_NAME } from "./recovery_records.ts";
import { ATTESTATION_NAME } from "./receipts/attestation_name.ts";
import { showValue } from "./first_difference.ts";
import type { PublishedFinal, VerifiedRun } from "./verify_run_parts.ts";

const ROW = "files";

/**
 * Verifies the folder's entries, and takes the final report.
 *
 * @throws {Refuted} where a name is missing, unexpected or no plain file.
 */
export function verifyEntries(
  { files, folder, witnesses, checks }: VerifiedRun,
): PublishedFinal {
  const final = readJsonFile(files, folder, FINAL_NAME, MAX_FINAL_BYTES);
  if (!final.ok) {
    throw checks.refute(ROW, {
      code: final.missing ? "unfinished" : "changed",
      file: FINAL_NAME,
      message: final.missing
        ? "The run has no final report: it has not ended, or its process " +
          'died; then "tinycoder recover" closes it, and writes into its folder'
        : final.message,
    });
  }
  const { recovered } = final.value;
  if (typeof recovered !== "boolean") {
    throw checks.refute(ROW, {
      file: FINAL_NAME,
      field: "recovered",
      message: "It isn't a final report of this format",
      expected: "true or false",
      found: showValue(recovered),
    });
  }
  const owned = witnesses.flatMap((witness) => witness.folders);
  const known: readonly string[] = [
    MANIFEST_NAME,
    AUDIT_NAME,
    FINAL_NAME,
    ATTESTATION_NAME,
    ...(recovered ? [RECOVERY_NAME] : []),
    ...owned,
  ];
  for (const name of files.list(folder)) {
    if (!known.includes(name)) {
      throw checks.refute(ROW, {
        code: "extra_file",
        file: name,
        message: name === RECOVERY_NAME
          ? "The final report knows of no recovery"
          : "A run makes no such file",
      });
    }
    checks.count(ROW);
  }
  for (const name of [AUDIT_NAME, ATTESTATION_NAME]) {
    const opened = openEvidence(files, folder, name);
    if (typeof opened === "string") {
      throw checks.refute(ROW, { file: name, message: opened });
    }
    opened?.close();
  }
  checks.close(ROW);
  return { ...final, recovered };
}
