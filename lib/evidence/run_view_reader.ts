// Reads a run's folder into a view. Each file is contained, bounded and parsed
// against its schema; a fault in one becomes a finding and ends only what
// depends on it.

import { readContained } from "../system/contained_file.ts";
import { counted } from "../system/counted.ts";
import type { Files } from "../system/files.ts";
import { quoteSafely } from "../system/safe_text.ts";
import { finalSchema } from "./final_schema.ts";
import { AuditFinding, AuditReader, type Tail } from "./audit_reader.ts";
import { type AuditRecord, canonicalJson } from "./audit_record.ts";
import { AUDIT_NAME, type AuditHead } from "./audit_writer.ts";
import { type EventCatalogue, withRecoveryEvents } from "./event_schemas.ts";
import { asClause, CONTAINMENT_WORDS, openEvidence } from "./evidence_files.ts";
import {
  FINAL_NAME,
  type FinalReport,
  MAX_FINAL_BYTES,
} from "./final_report.ts";
import { RECOVERY_NAME } from "./recovery_records.ts";
import { readManifest, RecoveryRefusal } from "./read_manifest.ts";
import { type Finding, proposalView, type RunView } from "./run_view.ts";

/**
 * Most records of a chain that a view holds; the lab's limits leave it far.
 */
export const MAX_VIEWED_RECORDS = 4_096;

/** Most bytes of a chain that is viewed, in bytes. */
const MAX_VIEWED_BYTES = 32 * 1_024 * 1_024;

/** What reading a view takes. */
export interface RunViewParts {
  readonly files: Files;
  /** The run folder's real path. */
  readonly folder: string;
  /** The event types of a task's runs; null for a task that is not known. */
  readonly catalogueOf: (task: string) => EventCatalogue | null;
}

/**
 * Reads a run, finished or not.
 *
 * @throws {RecoveryRefusal} where there is no manifest that can be read, or it
 * names a task that this program doesn't know.
 */
export function readRunView(parts: RunViewParts): RunView {
  const { files, folder } = parts;
  const { manifest, digest } = readManifest(files, folder);
  const catalogue = parts.catalogueOf(manifest.task);
  if (catalogue === null) {
    throw new RecoveryRefusal(
      "unknown_task",
      `this program knows no task ${quoteSafely(manifest.task, 200)}`,
    );
  }
  const findings: Finding[] = [];
  const chain = (name: string, events: EventCatalogue, first: AuditHead) =>
    readChain(
      { files, folder, name, events, first, findings },
      manifest.run_id,
    );
  const audit = chain(AUDIT_NAME, catalogue, { head: digest, count: 0 });
  const recovery = chain(
    RECOVERY_NAME,
    withRecoveryEvents(catalogue),
    audit.head,
  );
  if (!audit.exists) {
    findings.push({ file: AUDIT_NAME, line: null, message: "it is missing" });
  }
  const groups = grouped(audit.records, audit.whole);
  const final = readFinal(files, folder, findings);
  if (final !== null) {
    compareFinal(final, audit, recovery.exists ? recovery : null, findings);
  }
  return {
    manifest,
    manifestSha256: digest,
    state: final === null
      ? "unfinished"
      : final.recovered
      ? "recovered"
      : "complete",
    ...groups,
    // Where a process died, only its recovery can say how the run stopped.
    stop: groups.stop ?? (final?.recovered ? stopOf(final) : null),
    // Without a report nothing says that a recovery came to its end.
    recovered: final === null ? [] : recovery.records,
    final,
    audit: audit.head,
    tail: audit.tail,
    recovery: recovery.exists ? recovery.head : null,
    findings,
  };
}

interface ChainPlace {
  readonly files: Files;
  readonly folder: string;
  readonly name: string;
  readonly events: EventCatalogue;
  readonly first: AuditHead;
  readonly findings: Finding[];
}

interface Chain {
  readonly exists: boolean;
  readonly records: readonly AuditRecord[];
  readonly head: AuditHead;
  readonly tail: Tail;
  /** Whether the records could be read to their end. */
  readonly whole: boolean;
}

function readChain(place: ChainPlace, runId: string): Chain {
  const { files, folder, name, events, first, findings } = place;
  const none = {
    exists: false,
    records: [],
    head: first,
    tail: { kind: "clean" },
    whole: true,
  } as const;
  const untaken = (message: string): Chain => {
    findings.push({ file: name, line: null, message });
    return { ...none, exists: true, whole: false };
  };
  const file = openEvidence(files, folder, name);
  if (file === null) return none;
  if (typeof file === "string") return untaken(asClause(file));
  try {
    if (file.facts().size > MAX_VIEWED_BYTES) {
      return untaken(`it has over ${MAX_VIEWED_BYTES} bytes: no run has`);
    }
    const reader = new AuditReader(file, runId, events, first);
    const records: AuditRecord[] = [];
    let whole = true;
    try {
      for (const record of reader) {
        if (records.length === MAX_VIEWED_RECORDS) {
          throw new AuditFinding(records.length + 1, {
            message: `it has over ${MAX_VIEWED_RECORDS} records: no run has`,
          });
        }
        records.push(record);
      }
    } catch (error) {
      if (!(error instanceof AuditFinding)) throw error;
      findings.push({ file: name, line: error.line, message: error.message });
      whole = false;
    }
    const tail = reader.tail ?? { kind: "clean" };
    return { exists: true, records, head: reader.head, tail, whole };
  } finally {
    file.close();
  }
}

function readFinal(
  files: Files,
  folder: string,
  findings: Finding[],
): FinalReport | null {
  const read = readContained(files, folder, FINAL_NAME, MAX_FINAL_BYTES);
  if (!read.ok) {
    if (read.finding !== "missing") {
      const message = `it can't be taken: ${
        asClause(CONTAINMENT_WORDS[read.finding])
      }`;
      findings.push({ file: FINAL_NAME, line: null, message });
    }
    return null;
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(read.bytes);
    return finalSchema.parse(JSON.parse(text));
  } catch {
    const message = "it isn't a final report of this format";
    findings.push({ file: FINAL_NAME, line: null, message });
    return null;
  }
}

/** Says where the final report and the chains that it closes disagree. */
function compareFinal(
  report: FinalReport,
  audit: Chain,
  recovery: Chain | null,
  findings: Finding[],
): void {
  const finding = (message: string) =>
    findings.push({ file: FINAL_NAME, line: null, message });
  const { format: _, format_version: __, ...rest } = report;
  const { audit: auditHead, recovery: recoveryHead, ...content } = rest;
  if (!audit.whole || recovery?.whole === false) return;
  if (!sameHead(auditHead, audit.head)) {
    finding(
      auditHead.count === audit.head.count
        ? `either the last line of ${AUDIT_NAME} or its audit.head was altered`
        : `it closes an audit of ${counted(auditHead.count, "record")}; the ` +
          `folder's has ${audit.head.count}`,
    );
    return;
  }
  if (
    (recoveryHead === undefined) !== (recovery === null) ||
    (recovery !== null && !sameHead(recoveryHead, recovery.head))
  ) {
    finding(`it doesn't close the folder's ${RECOVERY_NAME}`);
    return;
  }
  const last = (recovery ?? audit).records.at(-1);
  const ends = recovery === null ? "run_ended" : "run_recovered";
  if (
    last?.event !== ends ||
    canonicalJson(last.content) !== canonicalJson(content)
  ) finding("it doesn't say what the run's last record says");
}

function sameHead(
  a: { readonly head: string; readonly count: number } | undefined,
  b: AuditHead,
): boolean {
  return a?.head === b.head && a.count === b.count;
}

function stopOf({ stop_reason, detail }: FinalReport): RunView["stop"] {
  return { reason: stop_reason, detail };
}

/**
 * Sorts records by the attempt that they belong to.
 *
 * @param whole Whether they are all records that there are.
 */
function grouped(
  records: readonly AuditRecord[],
  whole: boolean,
): Pick<RunView, "proposals" | "opening" | "closing" | "stop"> {
  // Only a request makes an attempt: a run may stop on the way to one.
  const attempted = new Set(
    records.filter(({ event }) => event === "request_assembled")
      .map(({ proposal_number }) => proposal_number),
  );
  const groups = new Map<number, AuditRecord[]>();
  const opening: AuditRecord[] = [];
  const closing: AuditRecord[] = [];
  let stop: RunView["stop"] = null;
  for (const record of records) {
    const { proposal_number: number, event, content } = record;
    if (event === "loop_stopped") {
      const { stop_reason, detail } = content;
      stop = {
        reason: String(stop_reason),
        detail: detail === null ? null : String(detail),
      };
    }
    if (number !== null && attempted.has(number)) {
      const group = groups.get(number);
      if (group === undefined) groups.set(number, [record]);
      else group.push(record);
    } else if (groups.size === 0 && stop === null) opening.push(record);
    else closing.push(record);
  }
  return {
    proposals: [...groups].map(([number, group]) =>
      proposalView(number, group, !whole && group.at(-1) === records.at(-1))
    ),
    opening,
    closing,
    stop,
  };
}
