// The records of a run that exists, for the commands that need them whole.

import { AuditFinding, AuditReader } from "../evidence/audit_reader.ts";
import type { AuditRecord } from "../evidence/audit_record.ts";
import { AUDIT_NAME } from "../evidence/audit_writer.ts";
import { asClause, openEvidence } from "../evidence/evidence_files.ts";
import type { Manifest } from "../evidence/manifest.ts";
import { readManifest, RecoveryRefusal } from "../evidence/read_manifest.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { isDenied, systemCode } from "../system/error_code.ts";
import type { Files } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { evidenceOf } from "./lab_evidence.ts";
import { quoteTyped } from "./quote_typed.ts";

/** A run's manifest and its audit's whole records. */
export interface ReadRun {
  readonly manifest: Manifest;
  readonly records: readonly AuditRecord[];
}

/** Most records of a run that is read whole; the lab's limits leave it far. */
const MAX_RECORDS = 4_096;

/**
 * Reads a run's records.
 *
 * @param folder Its folder's real path.
 * @param what What can't be done without them, for messages.
 * @throws {CommandError} where they can't be read.
 */
export function readRecords(
  files: Files,
  folder: string,
  what: string,
): ReadRun {
  const refuse = (why: string) =>
    new CommandError(EXIT.evidence, {
      what,
      why,
      next: "Give the folder of a run whose evidence is whole.",
    });
  try {
    const { manifest, digest } = readManifest(files, folder);
    const evidence = evidenceOf(files, folder)(manifest.task);
    if (evidence === null) {
      throw refuse(`this program knows no task ${quoteTyped(manifest.task)}`);
    }
    const file = openEvidence(files, folder, AUDIT_NAME);
    if (file === null) throw refuse(`${AUDIT_NAME} is missing`);
    if (typeof file === "string") {
      throw refuse(`${AUDIT_NAME} can't be taken: ${asClause(file)}`);
    }
    try {
      const { catalogue } = evidence;
      const reader = new AuditReader(file, manifest.run_id, catalogue, {
        head: digest,
        count: 0,
      });
      const records: AuditRecord[] = [];
      for (const record of reader) {
        if (records.length === MAX_RECORDS) {
          throw refuse(`it has over ${MAX_RECORDS} records`);
        }
        records.push(record);
      }
      return { manifest, records };
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof RecoveryRefusal) throw refuse(error.message);
    if (error instanceof AuditFinding) {
      throw refuse(`line ${error.line} of ${AUDIT_NAME}: ${error.message}`);
    }
    if (error instanceof CommandError || systemCode(error) === null) {
      throw error;
    }
    throw new CommandError(isDenied(error) ? EXIT.refused : EXIT.harness, {
      what,
      why: `one of its files can't be read: ${readWords(error)}`,
      next: "Make the run's files readable, then try again.",
    }, error);
  }
}
