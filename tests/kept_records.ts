// A live recorder over a real audit in a fresh folder, and what it wrote.

import type { JsonObject } from "../lib/agent/json.ts";
import type { Recorder } from "../lib/agent/recorder.ts";
import type { AuditRecord } from "../lib/evidence/audit_record.ts";
import { AuditWriter } from "../lib/evidence/audit_writer.ts";
import { LiveRecorder } from "../lib/evidence/live_recorder.ts";
import type { Clock } from "../lib/system/clock.ts";
import type { Files } from "../lib/system/files.ts";
import { sha256 } from "../lib/system/sha256.ts";

/** A recorder, and its records so far. */
export interface KeptRecords extends Disposable {
  readonly recorder: Recorder;
  readonly records: readonly AuditRecord[];
  /** Each record as its event, the place of a fact, and its content. */
  said(): readonly (readonly [string, JsonObject])[];
}

/** Begins an audit in a run's folder. */
export function keepRecords(
  files: Files,
  folder: string,
  clock: Clock,
): KeptRecords {
  const writer = AuditWriter.create(files, folder, sha256("a manifest"));
  const records: AuditRecord[] = [];
  const recorder = new LiveRecorder({
    writer,
    clock,
    runId: "00000000-0000-4000-8000-000000000000",
    source: "scripted",
    durable: [],
    notify: (record) => records.push(record),
  });
  return {
    recorder: recorder as Recorder,
    records,
    said: () =>
      records.map(({ event, at, content }) =>
        [at === null ? event : `${event} ${at}`, content] as const
      ),
    [Symbol.dispose]: () => writer.close(),
  };
}
