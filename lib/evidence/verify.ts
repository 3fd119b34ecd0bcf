// Derives a run again from its manifest and the facts of its
// audit, and compares everything else byte for byte. Reads, writes nothing,
// believes nothing.

import type { Files } from "../system/files.ts";
import type { Manifest } from "./manifest.ts";
import type { Contradiction, Witness } from "../agent/witness.ts";
import type { TaskEvidence } from "./rederive.ts";
import { verifyEntries } from "./verify_entries.ts";
import { verifyFinal } from "./verify_final.ts";
import { verifyManifest } from "./verify_manifest.ts";
import { verifyRecords } from "./verify_records.ts";
import { verifyRecovery } from "./verify_recovery.ts";
import {
  CheckList,
  type Discrepancy,
  Refuted,
  type Verification,
} from "./verify_report.ts";

/** What a task brings for its runs to be verified. */
export interface TaskVerification {
  readonly evidence: TaskEvidence;
  /** Digest of this program's harness. */
  readonly harness: string;
  /**
   * The manifest that this program would write for the same declared facts,
   * the harness's digest apart.
   */
  expectedManifest(found: Manifest): Manifest;
  /** A declared fact that no run of this task has, or null. */
  contradictionIn(found: Manifest): Promise<Contradiction | null>;
  witnesses(found: Manifest): Promise<readonly Witness[]>;
}

/** What a verification works with. */
export interface VerifyParts {
  readonly files: Files;
  /** The run folder's real path. */
  readonly folder: string;
  /** The task that a manifest names; null for one this program doesn't know. */
  readonly taskOf: (task: string) => TaskVerification | null;
  /** Further witnesses of the events, beside the task's. */
  readonly witnesses?: (found: Manifest) => readonly Witness[];
}

/** The rows that every run has, in order; the task's witness adds its own. */
const ROWS = [
  "manifest",
  "files",
  "records",
  "facts",
  "derived events",
  "recovery",
  "final report",
] as const;

/**
 * Verifies one run.
 *
 * @throws The system's error where a file can't be read at all.
 */
export async function verifyRun(parts: VerifyParts): Promise<Verification> {
  const checks = new CheckList(ROWS);
  const notes: string[] = [];
  let runId: string | null = null;
  const end = (
    ended: Pick<Verification, "discrepancy" | "final">,
  ): Verification => ({
    runId,
    holds: ended.discrepancy === null,
    checks: checks.rows,
    notes,
    ...ended,
  });
  try {
    const { manifest, digest, task } = await verifyManifest(
      parts,
      checks,
      notes,
    );
    runId = manifest.run_id;
    const witnesses = [
      ...await task.witnesses(manifest),
      ...parts.witnesses?.(manifest) ?? [],
    ];
    const run = { ...parts, manifest, digest, task, witnesses, checks };
    const published = verifyEntries(run);
    const derived = await verifyRecords(run, published);
    const report = verifyRecovery(run, published, derived);
    verifyFinal(run, published, report);
    for (const witness of witnesses) {
      for (const { name, checked, contradiction } of witness.look()) {
        checks.count(name, checked);
        if (contradiction !== null) {
          throw checks.refute(name, { file: name, ...contradiction });
        }
        checks.close(name);
      }
      notes.push(...witness.notes);
    }
    return end({ discrepancy: null, final: report });
  } catch (error) {
    if (!(error instanceof Refuted)) throw error;
    const discrepancy: Discrepancy = error.discrepancy;
    return end({ discrepancy, final: null });
  }
}
