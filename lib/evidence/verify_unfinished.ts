// A run without a final report: as far as its records go, they are derived again
// like a closed run's. What lies beside them is still moving, and isn't looked at.

import { AuditReader } from "./audit_reader.ts";
import { AUDIT_NAME } from "./audit_writer.ts";
import { openEvidence } from "./evidence_files.ts";
import { runIdentity } from "./manifest.ts";
import { noRecords } from "./recovery_records.ts";
import { rederive } from "./rederive.ts";
import type { RunView } from "./run_view.ts";
import type { VerifyParts } from "./verify.ts";
import { verifyManifest } from "./verify_manifest.ts";
import { AUDIT_ROWS } from "./verify_records.ts";
import { CheckList, type Discrepancy, Refuted } from "./verify_report.ts";
import { WatchedChain } from "./watched_chain.ts";

/** What somebody who finds other bytes than before is told. */
export const CHANGED = "It was changed while it was read";

/**
 * Verifies what a view shows of an unfinished run.
 *
 * @param seen The view: records that came after it was read aren't judged.
 * @returns The first thing that differs, or null.
 * @throws The system's error where a file can't be read at all.
 */
export async function verifyUnfinished(
  parts: VerifyParts,
  seen: Pick<RunView, "manifestSha256" | "audit">,
): Promise<Discrepancy | null> {
  const { files, folder } = parts;
  const checks = new CheckList(["manifest", ...Object.values(AUDIT_ROWS)]);
  const refute = (message: string) =>
    checks.refute(AUDIT_ROWS.records, { file: AUDIT_NAME, message });
  try {
    const { manifest, digest, task } = await verifyManifest(parts, checks, []);
    const witnesses = await task.witnesses(manifest);
    const run = { ...parts, manifest, digest, task, witnesses, checks };
    const file = openEvidence(files, folder, AUDIT_NAME);
    if (typeof file === "string") throw refute(file);
    try {
      const { run_id } = manifest;
      const { evidence } = task;
      const start = { head: digest, count: 0 };
      const reader = new AuditReader(
        file ?? noRecords,
        run_id,
        evidence.catalogue,
        start,
      );
      const { count, head } = seen.audit;
      const chain = new WatchedChain(
        run,
        AUDIT_NAME,
        reader,
        AUDIT_ROWS,
        count,
      );
      const rederived = await chain.reading(() =>
        rederive(chain, runIdentity(manifest), evidence)
      );
      if (rederived.kind === "diverged") {
        throw chain.refuteDerived(rederived.divergence);
      }
      const isSeen = digest === seen.manifestSha256 &&
        reader.head.count === count && reader.head.head === head;
      if (!isSeen) throw refute(CHANGED);
      return null;
    } finally {
      file?.close();
    }
  } catch (error) {
    if (error instanceof Refuted) return error.discrepancy;
    throw error;
  }
}
