// What recovery added: chained to the last whole record, and derived again like
// the run itself. A run that ended by itself has none.

import type { JsonObject } from "../agent/json.ts";
import { AuditReader } from "./audit_reader.ts";
import { AUDIT_NAME } from "./audit_writer.ts";
import { withRecoveryEvents } from "./event_schemas.ts";
import { openEvidence } from "./evidence_files.ts";
import { finalReport } from "./final_report.ts";
import { firstDifference } from "./first_difference.ts";
import { runIdentity } from "./manifest.ts";
import { recoveredContent, tailContent } from "./recovery.ts";
import { RECOVERY_NAME } from "./recovery_records.ts";
import {
  Divergence,
  EndOfRecords,
  ReplayingRecorder,
} from "./replaying_recorder.ts";
import { Refuted } from "./verify_report.ts";
import type { DerivedRun } from "./verify_records.ts";
import { WatchedChain } from "./watched_chain.ts";
import type { PublishedFinal, VerifiedRun } from "./verify_run_parts.ts";

const ROW = "recovery";
const ROWS = { records: ROW, fact: ROW, derived: ROW };

/**
 * Verifies what recovery added, if there is anything.
 *
 * @returns The final report that the run must have.
 * @throws {Refuted} at the first record that doesn't hold.
 */
export function verifyRecovery(
  run: VerifiedRun,
  { recovered }: PublishedFinal,
  derived: DerivedRun,
): JsonObject {
  const { checks } = run;
  const { rederived, audit } = derived;
  if (!recovered) {
    if (rederived.kind !== "complete") throw new Error("The run has no end");
    checks.close(ROW);
    return finalReport(rederived.final, { audit });
  }
  const { files, folder, manifest, task } = run;
  const file = openEvidence(files, folder, RECOVERY_NAME);
  if (file === null || typeof file === "string") {
    throw checks.refute(ROW, {
      code: file === null ? "missing_file" : "changed",
      file: RECOVERY_NAME,
      message: file ?? "The run was recovered, and the file is missing",
    });
  }
  try {
    const reader = new AuditReader(
      file,
      manifest.run_id,
      withRecoveryEvents(task.evidence.catalogue),
      audit,
    );
    const chain = new WatchedChain(run, RECOVERY_NAME, reader, ROWS);
    return chain.readingNow(() => {
      const recorder = new ReplayingRecorder(chain);
      derived.continueWith(recorder);
      const content = deriveRecovery(run, derived, recorder, chain);
      const { tail } = reader;
      if (tail !== null) chain.refuseTail(tail);
      checks.close(ROW);
      return finalReport(content, { audit, recovery: reader.head });
    });
  } finally {
    file.close();
  }
}

function deriveRecovery(
  run: VerifiedRun,
  { rederived, tail, lastMs }: DerivedRun,
  recorder: ReplayingRecorder,
  chain: WatchedChain,
): JsonObject {
  const { checks, manifest } = run;
  try {
    const found = recorder.fact("tail_found", "recovery", () => null);
    const difference = firstDifference(tailContent(tail), found ?? undefined);
    if (difference !== null) {
      throw checks.refute(ROW, {
        file: AUDIT_NAME,
        message: "What follows the last whole record isn't what recovery found",
        field: difference.path,
        // The file is what is found here; the record says what it was.
        expected: difference.found,
        found: difference.expected,
      });
    }
    const identity = runIdentity(manifest);
    const content = recoveredContent(rederived, identity, lastMs);
    recorder.derived("run_recovered", content);
    if (recorder.next === null) return content;
    throw new Divergence(recorder.next, {
      event: "none",
      proposal_number: null,
      content: {},
    });
  } catch (error) {
    if (error instanceof Divergence) throw chain.refuteDerived(error);
    if (error instanceof EndOfRecords) {
      throw checks.refute(ROW, {
        file: RECOVERY_NAME,
        message: "The records end before the recovery does",
        expected: JSON.stringify(error.expected),
        found: "nothing",
      });
    }
    if (
      error instanceof Refuted || recorder.isReadError(error) ||
      recorder.next === null
    ) throw error;
    // The facts don't carry the recovery this far: one is missing.
    throw chain.refuteDerived(
      new Divergence(recorder.next, {
        event: "another",
        proposal_number: null,
        content: {},
      }),
    );
  }
}
