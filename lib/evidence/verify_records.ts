// The audit: each record against the one before it, each fact against what the
// world can have told, and each derived event against what follows.

import { AuditReader, type Tail } from "./audit_reader.ts";
import { AUDIT_NAME, type AuditHead } from "./audit_writer.ts";
import { openEvidence } from "./evidence_files.ts";
import { runIdentity } from "./manifest.ts";
import { noRecords } from "./recovery_records.ts";
import { rederive, type Rederived } from "./rederive.ts";
import type { ReplayingRecorder } from "./replaying_recorder.ts";
import type { PublishedFinal, VerifiedRun } from "./verify_run_parts.ts";
import { type ChainRows, WatchedChain } from "./watched_chain.ts";

/** Which checks an audit's records count for. */
export const AUDIT_ROWS: ChainRows = {
  records: "records",
  fact: "facts",
  derived: "derived events",
};

/** A run derived from its audit, to the end of the records. */
export interface DerivedRun {
  readonly rederived: Exclude<Rederived, { kind: "diverged" }>;
  readonly audit: AuditHead;
  readonly tail: Tail;
  /** When the last record was made, in milliseconds. */
  readonly lastMs: number;
  /** Gives the task the records that recovery added. */
  continueWith(recorder: ReplayingRecorder): void;
}

/**
 * Verifies a run's audit.
 *
 * @throws {Refuted} at the first record that doesn't hold.
 */
export async function verifyRecords(
  run: VerifiedRun,
  published: PublishedFinal,
): Promise<DerivedRun> {
  const { files, folder, manifest, task, checks } = run;
  const identity = runIdentity(manifest);
  const opened = openEvidence(files, folder, AUDIT_NAME);
  const file = typeof opened === "string" ? null : opened;
  const { recovered } = published;
  if (file === null && !recovered) {
    throw checks.refute("records", {
      code: "missing_file",
      file: AUDIT_NAME,
      message: "The file is missing",
    });
  }
  if (file !== null && file.facts().size === 0 && !recovered) {
    file.close();
    throw checks.refute("records", {
      file: AUDIT_NAME,
      message: "The audit is empty",
    });
  }
  try {
    const reader = new AuditReader(
      file ?? noRecords,
      identity.runId,
      task.evidence.catalogue,
      { head: run.digest, count: 0 },
    );
    const chain = new WatchedChain(run, AUDIT_NAME, reader, AUDIT_ROWS);
    let successor: ReplayingRecorder | null = null;
    const rederived = await chain.reading(() =>
      rederive(chain, identity, task.evidence, () => {
        if (successor === null) throw new Error("Recovery has no records");
        return successor;
      })
    );
    if (rederived.kind === "diverged") {
      throw chain.refuteDerived(rederived.divergence);
    }
    const { tail } = reader;
    if (tail === null) throw new Error("The audit was not read to its end");
    if (!recovered) {
      chain.refuseTail(tail);
      if (rederived.kind === "ended_early") {
        throw checks.refute("derived events", {
          file: AUDIT_NAME,
          event: reader.head.count + 1,
          line: reader.head.count + 1,
          message: "The records end before the run does",
          expected: JSON.stringify(rederived.expected),
          found: "nothing",
        });
      }
    }
    checks.close("records", "facts", "derived events");
    return {
      rederived,
      audit: reader.head,
      tail,
      lastMs: chain.lastMs,
      continueWith: (recorder) => {
        successor = recorder;
      },
    };
  } finally {
    file?.close();
  }
}
