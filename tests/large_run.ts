// A run whose audit is as long as one likes, of a task that does nothing: for
// what verification costs in time and memory.

import type { LoopDerived, LoopFacts } from "../lib/agent/events.ts";
import type { JsonObject } from "../lib/agent/json.ts";
import { noProgress } from "../lib/agent/loop.ts";
import type { Recorder } from "../lib/agent/recorder.ts";
import { conductRun } from "../lib/agent/run.ts";
import type { Task } from "../lib/agent/task.ts";
import { AuditWriter } from "../lib/evidence/audit_writer.ts";
import { withLoopEvents } from "../lib/evidence/event_schemas.ts";
import {
  FINAL_NAME,
  finalBytes,
  finalReport,
} from "../lib/evidence/final_report.ts";
import { LiveRecorder } from "../lib/evidence/live_recorder.ts";
import {
  MANIFEST_NAME,
  manifestBytes,
  runIdentity,
} from "../lib/evidence/manifest.ts";
import type { TaskVerification } from "../lib/evidence/verify.ts";
import { createWhole } from "../lib/system/files.ts";
import { sha256 } from "../lib/system/sha256.ts";
import {
  countingClock,
  openGate,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { bareManifest } from "./declared_manifest.ts";

/** How long a run of the idle task is. */
export interface LargeRun {
  readonly proposals: number;
  /** Characters of each request, below a record's limit. */
  readonly requestCharacters: number;
}

/** Conducts a run of the idle task in an empty folder. */
export async function conductLargeRun(
  folder: string,
  large: LargeRun,
): Promise<void> {
  const clock = countingClock();
  const manifest = bareManifest({
    run_id: crypto.randomUUID(),
    created: clock.wallTime(),
    task: "idle",
    proposal_source: "stdio",
  });
  const bytes = manifestBytes(manifest);
  createWhole(unflushedFiles, `${folder}/${MANIFEST_NAME}`, bytes);
  const writer = AuditWriter.create(unflushedFiles, folder, sha256(bytes));
  const recorder = new LiveRecorder({
    writer,
    clock,
    runId: manifest.run_id,
    source: manifest.proposal_source,
    durable: [],
  });
  const content = await conductRun(
    {
      task: idleTask(large),
      source: {
        propose: () => Promise.resolve({ proposal_text: "{}", elapsed_ms: 0 }),
      },
      gate: openGate,
      recorder: recorder as unknown as Recorder<LoopFacts, LoopDerived>,
    },
    runIdentity(manifest),
    noProgress(),
  );
  const report = finalReport(content, { audit: writer.head });
  createWhole(unflushedFiles, `${folder}/${FINAL_NAME}`, finalBytes(report));
  writer.close();
}

/** The verification of the idle task's runs. */
export function idleVerification(large: LargeRun): TaskVerification {
  return {
    evidence: {
      name: "idle",
      catalogue: withLoopEvents({ facts: {}, derived: {} }),
      replay: () => idleTask(large),
    },
    harness: "",
    expectedManifest: (found) => found,
    contradictionIn: () => Promise.resolve(null),
    witnesses: () => Promise.resolve([]),
  };
}

function idleTask(
  { proposals, requestCharacters }: LargeRun,
): Task<JsonObject, string> {
  const content = "x".repeat(requestCharacters);
  return {
    limits: { proposals, invalid: 2 },
    assemble: () => Promise.resolve({ messages: [{ role: "user", content }] }),
    admit: () => ({ action: { action: "idle" } }),
    perform: () => ({ observation: { ok: true }, counts: "valid" }),
    remember: () => {},
    evaluate: () => ({ verified_success: false }),
    recover: () => ({}),
  };
}
