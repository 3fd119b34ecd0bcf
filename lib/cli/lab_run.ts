// Composition of one lab run on the controller's side: task, recorder and
// evidence around the loop. The worker calls it, and so do tests and selftest.

import type { LoopDerived, LoopFacts } from "../agent/events.ts";
import type { Gate } from "../agent/gate.ts";
import type { JsonObject } from "../agent/json.ts";
import { noProgress } from "../agent/loop.ts";
import type { Recorder } from "../agent/recorder.ts";
import { conductRun } from "../agent/run.ts";
import type { Source } from "../agent/source.ts";
import type { AuditRecord } from "../evidence/audit_record.ts";
import { AuditWriter } from "../evidence/audit_writer.ts";
import {
  FINAL_NAME,
  finalBytes,
  finalReport,
} from "../evidence/final_report.ts";
import { LiveRecorder } from "../evidence/live_recorder.ts";
import { ReplayRecorder } from "../evidence/replay_recorder.ts";
import {
  type Manifest,
  MANIFEST_NAME,
  manifestBytes,
  runIdentity,
} from "../evidence/manifest.ts";
import { DURABLE_EVENTS, type LabRecorder } from "../lab/lab_events.ts";
import { LabTask } from "../lab/lab_task.ts";
import { createWorkspace, openWorkspace } from "../lab/workspace.ts";
import type { Clock } from "../system/clock.ts";
import { type Files, publishNew } from "../system/files.ts";
import { sha256 } from "../system/sha256.ts";

/** What one lab run works with. */
export interface LabRunParts {
  readonly files: Files;
  /** Real path of the run's folder, which is empty. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly source: Source;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Told of each record after it was written. */
  readonly notify?: (record: AuditRecord) => void;
  /** For harness checks: the task, before its first request. */
  readonly prepare?: (task: LabTask) => void;
  /** For a replay: the earlier run's records, whose facts are handed in. */
  readonly recorded?: readonly AuditRecord[];
}

/**
 * Conducts a run from an empty folder to its sealed final report.
 *
 * @returns The final report.
 * @throws {AuditFault} where the audit can't be written, and what `files`
 * throws where the folder can't be filled or the report not be published.
 */
export async function conductLabRun(parts: LabRunParts): Promise<JsonObject> {
  const { files, folder, manifest, source, gate, clock } = parts;
  const bytes = manifestBytes(manifest);
  // The audit's lock says that a run is alive: it is held before there is
  // anything that a recovery would take up.
  const writer = AuditWriter.create(files, folder, sha256(bytes));
  try {
    publishNew(files, folder, MANIFEST_NAME, bytes);
    createWorkspace(files, folder);
    const live = new LiveRecorder({
      writer,
      clock,
      runId: manifest.run_id,
      source: manifest.proposal_source,
      durable: DURABLE_EVENTS,
      ...(parts.notify === undefined ? {} : { notify: parts.notify }),
    });
    const recorder = parts.recorded === undefined
      ? live
      : new ReplayRecorder(live as unknown as Recorder, parts.recorded);
    const task = new LabTask({
      recorder: recorder as unknown as LabRecorder,
      gate,
      workspace: openWorkspace(files, folder),
    });
    parts.prepare?.(task);
    const content = await conductRun(
      {
        task,
        source,
        gate,
        recorder: recorder as unknown as Recorder<LoopFacts, LoopDerived>,
      },
      runIdentity(manifest),
      noProgress(),
    );
    const report = finalReport(content, { audit: writer.head });
    writer.requireInPlace(files, folder);
    publishNew(files, folder, FINAL_NAME, finalBytes(report));
    return report;
  } finally {
    writer.close();
  }
}
