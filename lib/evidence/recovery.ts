// Explains a run whose process died. The audit stays as it is, torn tail
// included; what recovery found goes beside it, chained to the last whole
// record, and a final report that never claims success closes both.

import { finalContent, type RunIdentity } from "../agent/run.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Recorder } from "../agent/recorder.ts";
import type { Clock } from "../system/clock.ts";
import { readContained } from "../system/contained_file.ts";
import { quoteSafely } from "../system/safe_text.ts";
import { type FileLock, type Files, publishNew } from "../system/files.ts";
import { AuditFinding, AuditReader, type Tail } from "./audit_reader.ts";
import type { AuditRecord } from "./audit_record.ts";
import { AUDIT_NAME, type AuditHead, AuditWriter } from "./audit_writer.ts";
import { asClause, CONTAINMENT_WORDS } from "./evidence_files.ts";
import {
  FINAL_NAME,
  finalBytes,
  finalReport,
  MAX_FINAL_BYTES,
} from "./final_report.ts";
import { finalSchema } from "./final_schema.ts";
import { LiveRecorder } from "./live_recorder.ts";
import { type Manifest, runIdentity } from "./manifest.ts";
import { readManifest, RecoveryRefusal } from "./read_manifest.ts";
import {
  earlierRecovery,
  noRecords,
  openRecords,
  RECOVERY_NAME,
} from "./recovery_records.ts";
import { rederive, type Rederived, type TaskEvidence } from "./rederive.ts";

/** What recovery works with. */
export interface RecoveryParts {
  readonly files: Files;
  /** The run folder's real path. */
  readonly folder: string;
  readonly clock: Clock;
  /** The task that a manifest names; null for one this program doesn't know. */
  readonly evidenceOf: (task: string) => TaskEvidence | null;
}

/** What became of a recovery. */
export interface Recovered {
  /** Whether a final report was there before. */
  readonly already: boolean;
  readonly final: JsonObject;
}

/**
 * Closes the evidence of a run whose process died; a run that has its final
 * report is left as it is.
 *
 * @throws {RecoveryRefusal} where the evidence doesn't allow it.
 */
export async function recoverRun(parts: RecoveryParts): Promise<Recovered> {
  const { files, folder } = parts;
  const { manifest, digest } = readManifest(files, folder);
  const evidence = parts.evidenceOf(manifest.task);
  if (evidence === null) {
    throw new RecoveryRefusal(
      "unknown_task",
      `this program knows no task ${quoteSafely(manifest.task, 200)}`,
    );
  }
  const lock = lockAudit(files, folder, manifest);
  try {
    const final = readContained(files, folder, FINAL_NAME, MAX_FINAL_BYTES);
    if (final.ok) return { already: true, final: readFinal(final.bytes) };
    if (final.finding !== "missing") {
      throw new RecoveryRefusal(
        "evidence_differs",
        `${FINAL_NAME} can't be taken: ${
          asClause(CONTAINMENT_WORDS[final.finding])
        }`,
      );
    }
    const identity = runIdentity(manifest);
    const first = { head: digest, count: 0 };
    const report = await explain(parts, identity, evidence, first);
    publishNew(files, folder, FINAL_NAME, finalBytes(report));
    return { already: false, final: report };
  } finally {
    lock?.release();
  }
}

function readFinal(bytes: Uint8Array): JsonObject {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const final = JSON.parse(text);
    finalSchema.parse(final);
    return final;
  } catch {
    throw new RecoveryRefusal(
      "evidence_differs",
      `${FINAL_NAME} isn't a final report of this format`,
    );
  }
}

function lockAudit(
  files: Files,
  folder: string,
  manifest: Manifest,
): FileLock | null {
  const path = `${folder}/${AUDIT_NAME}`;
  const facts = files.facts(path);
  if (facts === null) return null;
  if (facts.kind !== "file" || facts.links !== 1) {
    throw new RecoveryRefusal(
      "evidence_differs",
      `${AUDIT_NAME} isn't a regular file with one link`,
    );
  }
  const lock = files.lock(path);
  if (lock === null) {
    throw new RecoveryRefusal(
      "still_running",
      `the run that started at ${manifest.created} still holds its audit`,
    );
  }
  return lock;
}

/** Writes what recovery found, and returns the final report. */
async function explain(
  { files, folder, clock }: RecoveryParts,
  identity: RunIdentity,
  evidence: TaskEvidence,
  first: AuditHead,
): Promise<JsonObject> {
  // An audit that was never created reads as an empty one.
  const audit = openRecords(files, folder, AUDIT_NAME) ?? noRecords;
  try {
    const { runId, source } = identity;
    const reader = new AuditReader(audit, runId, evidence.catalogue, first);
    const lines: Uint8Array[] = [];
    let addition: { writer: AuditWriter; recorder: Recorder } | null = null;
    // Takes over where the records end; the chain goes on from there.
    const add = () => {
      if (addition !== null) return addition;
      const file = {
        ...noRecords,
        write: (bytes: Uint8Array) => (lines.push(bytes), bytes.length),
      };
      const writer = new AuditWriter(file, reader.head, null);
      const recorder = new LiveRecorder(
        { writer, clock, runId, source, durable: [] },
      );
      recorder.fact("tail_found", "recovery", () => tailContent(reader.tail));
      return addition = { writer, recorder };
    };
    let lastMs = 0;
    const records = function* (): Generator<AuditRecord, void> {
      for (const record of reader) {
        lastMs = record.monotonic_ms;
        yield record;
      }
    };
    const rederived = await rederive(
      records(),
      identity,
      evidence,
      () => add().recorder,
    );
    if (rederived.kind === "diverged") {
      const { found } = rederived.divergence;
      throw new RecoveryRefusal(
        "evidence_differs",
        `event ${found?.event_id} doesn't follow from the facts before it`,
      );
    }
    // Derived here in any case: what another recovery left is not believed.
    const content = recoveredContent(rederived, identity, lastMs);
    const chain = { runId, catalogue: evidence.catalogue, audit: reader.head };
    const earlier = earlierRecovery(files, folder, chain, content);
    if (earlier !== null) return earlier;

    const { writer, recorder } = add();
    recorder.derived("run_recovered", content);
    publishNew(files, folder, RECOVERY_NAME, joined(lines));
    return finalReport(content, {
      audit: reader.head,
      recovery: writer.head,
    });
  } catch (error) {
    if (error instanceof AuditFinding) {
      throw new RecoveryRefusal(
        "evidence_differs",
        `line ${error.line} of ${AUDIT_NAME}: ${error.message}`,
      );
    }
    throw error;
  } finally {
    audit.close();
  }
}

/**
 * The content of a recovered run's final report; what it takes to close the
 * run goes through the recorder that the records were continued with.
 *
 * @param lastMs When the last record was made, in milliseconds.
 */
export function recoveredContent(
  rederived: Exclude<Rederived, { kind: "diverged" }>,
  identity: RunIdentity,
  lastMs: number,
): JsonObject {
  if (rederived.kind === "complete") {
    return { ...rederived.final, verified_success: false, recovered: true };
  }
  const { progress, task } = rederived;
  return finalContent(
    identity,
    progress.stop !== null
      ? progress
      : { ...progress, stop: "harness_error", detail: "process_died" },
    { ...task.recover(), verified_success: false },
    { recovered: true, elapsed_ms: { total: lastMs } },
  );
}

/** What recovery records of an audit's tail. */
export function tailContent(tail: Tail | null): JsonObject {
  return tail === null || tail.kind === "clean"
    ? { kind: "clean", bytes: 0, sha256: null }
    : { ...tail };
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(
    lines.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const line of lines) {
    bytes.set(line, at);
    at += line.length;
  }
  return bytes;
}
