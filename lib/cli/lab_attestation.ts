// What a signature of a lab run states: the files that were verified, and the
// cases that passed.

import type { JsonObject } from "../agent/json.ts";
import { firstDifference } from "../evidence/first_difference.ts";
import { asClause } from "../evidence/evidence_files.ts";
import {
  attestationDifference,
  signedFileDifference,
} from "../evidence/receipts/attestation.ts";
import { runStatement } from "../evidence/receipts/statement.ts";
import { NoSubject, runSubjects } from "../evidence/receipts/subjects.ts";
import { verifyRun } from "../evidence/verify.ts";
import type {
  CheckState,
  Difference,
  Verification,
} from "../evidence/verify_report.ts";
import { CaseWitness } from "../lab/verify_cases.ts";
import type { Files } from "../system/files.ts";
import { verificationOf } from "./lab_verification.ts";

/** Name of the check of a run's signature, which comes after all others. */
export const SIGNATURE = "signature";

/** A verified run, and the statement that it makes if it holds. */
export interface StatedRun {
  readonly verification: Verification;
  readonly statement: JsonObject | null;
  /** What of a run that holds no signature can cover. */
  readonly uncovered: Difference | null;
}

/** Verifies the run in a folder, given by its real path. */
export async function stateRun(
  files: Files,
  folder: string,
): Promise<StatedRun> {
  const cases = new CaseWitness();
  const verification = await verifyRun({
    files,
    folder,
    taskOf: verificationOf(files, folder),
    witnesses: () => [cases],
  });
  const { final } = verification;
  if (final === null) return { verification, statement: null, uncovered: null };
  try {
    const subjects = runSubjects(files, folder);
    const statement = runStatement(subjects, final, cases);
    return { verification, statement, uncovered: null };
  } catch (error) {
    if (!(error instanceof NoSubject)) throw error;
    return { verification, statement: null, uncovered: error.difference };
  }
}

/**
 * Verifies a run together with its signature.
 *
 * @param key The signer's Ed25519 public key.
 */
export async function verifySignedRun(
  files: Files,
  folder: string,
  key: CryptoKey,
): Promise<Verification> {
  const { verification, statement, uncovered } = await stateRun(files, folder);
  const row = (state: CheckState, checked: number) => [
    ...verification.checks,
    { name: SIGNATURE, checked, state },
  ];
  if (statement === null && uncovered === null) {
    const altered = await signedFileDifference(files, folder, key);
    // A chain shows only that one of two was altered; the signature says which.
    const notes = altered === null ? [] : [
      `What the key signed differs first in ${altered.file}: ` +
      `${asClause(altered.message)}.`,
    ];
    return {
      ...verification,
      notes: [...verification.notes, ...notes],
      checks: row("not_reached", 0),
    };
  }
  const difference = statement === null
    ? uncovered
    : await attestationDifference(files, folder, key, statement);
  if (difference === null) {
    const subjects = statement?.["subject"] as readonly JsonObject[];
    return { ...verification, checks: row("holds", subjects.length) };
  }
  return {
    ...verification,
    holds: false,
    final: null,
    checks: row("fails", 0),
    discrepancy: {
      code: "changed",
      check: SIGNATURE,
      line: null,
      event: null,
      field: null,
      expected: null,
      found: null,
      ...difference,
    },
  };
}

/** Whether two looks at the same run came to the same. */
export function sameStatement(a: JsonObject, b: JsonObject): boolean {
  return firstDifference(a, b) === null;
}
