// What recovery writes beside an audit: opened like all evidence, and where an
// earlier recovery was killed before it could publish its report, read again.

import type { JsonObject } from "../agent/json.ts";
import type { FileHandle, Files } from "../system/files.ts";
import { AuditFinding, AuditReader } from "./audit_reader.ts";
import { type AuditRecord, canonicalJson } from "./audit_record.ts";
import type { AuditHead } from "./audit_writer.ts";
import { type EventCatalogue, withRecoveryEvents } from "./event_schemas.ts";
import { asClause, openEvidence } from "./evidence_files.ts";
import { finalReport } from "./final_report.ts";
import { RecoveryRefusal } from "./read_manifest.ts";

/** Name of what recovery adds to a run's folder. */
export const RECOVERY_NAME = "recovery.jsonl";

/**
 * Opens a file of records; null where there is none.
 *
 * @throws {RecoveryRefusal} where it isn't a run's own.
 */
export function openRecords(
  files: Files,
  folder: string,
  name: string,
): FileHandle | null {
  const opened = openEvidence(files, folder, name);
  if (typeof opened !== "string") return opened;
  throw new RecoveryRefusal(
    "evidence_differs",
    `${name} can't be taken: ${asClause(opened)}`,
  );
}

/** A file without a record; nothing is written to it. */
export const noRecords: FileHandle = {
  facts: () => {
    throw new Error("There is no file");
  },
  read: () => new Uint8Array(),
  write: () => 0,
  sync: () => {},
  close: () => {},
};

/** What a recovery's records follow. */
export interface RecoveredChain {
  readonly runId: string;
  readonly catalogue: EventCatalogue;
  readonly audit: AuditHead;
}

/**
 * The report of a recovery that was killed before it could publish it; null
 * where there was none.
 *
 * @param content What it has to have come to.
 */
export function earlierRecovery(
  files: Files,
  folder: string,
  { runId, catalogue, audit }: RecoveredChain,
  content: JsonObject,
): JsonObject | null {
  const file = openRecords(files, folder, RECOVERY_NAME);
  if (file === null) return null;
  try {
    const events = withRecoveryEvents(catalogue);
    const reader = new AuditReader(file, runId, events, audit);
    let last: AuditRecord | null = null;
    try {
      for (const record of reader) last = record;
    } catch (error) {
      if (!(error instanceof AuditFinding)) throw error;
      throw new RecoveryRefusal(
        "evidence_differs",
        `line ${error.line} of ${RECOVERY_NAME}: ${error.message}`,
      );
    }
    if (
      last?.event !== "run_recovered" || reader.tail?.kind !== "clean" ||
      canonicalJson(last.content) !== canonicalJson(content)
    ) {
      throw new RecoveryRefusal(
        "evidence_differs",
        `${RECOVERY_NAME} isn't what a recovery writes`,
      );
    }
    return finalReport(content, { audit, recovery: reader.head });
  } finally {
    file.close();
  }
}
