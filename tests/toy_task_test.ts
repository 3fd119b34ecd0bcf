// The loop and the evidence carry a task that they know nothing of: live, then
// derived again from its facts, tampered with, and cut off at every record.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { LoopDerived, LoopFacts } from "../lib/agent/events.ts";
import type { JsonObject } from "../lib/agent/json.ts";
import { noProgress } from "../lib/agent/loop.ts";
import type { Recorder } from "../lib/agent/recorder.ts";
import { conductRun } from "../lib/agent/run.ts";
import { AuditFinding, AuditReader } from "../lib/evidence/audit_reader.ts";
import type { AuditRecord } from "../lib/evidence/audit_record.ts";
import {
  AUDIT_NAME,
  type AuditHead,
  AuditWriter,
} from "../lib/evidence/audit_writer.ts";
import {
  FINAL_NAME,
  finalBytes,
  finalReport,
} from "../lib/evidence/final_report.ts";
import { finalSchema } from "../lib/evidence/final_schema.ts";
import { LiveRecorder } from "../lib/evidence/live_recorder.ts";
import {
  MANIFEST_NAME,
  manifestBytes,
  runIdentity,
} from "../lib/evidence/manifest.ts";
import { recoverRun } from "../lib/evidence/recovery.ts";
import { rederive, type Rederived } from "../lib/evidence/rederive.ts";
import { scriptedSource } from "../lib/source/scripted_source.ts";
import { publish } from "../lib/system/files.ts";
import { sha256 } from "../lib/system/sha256.ts";
import {
  countingClock,
  freshFolder,
  openGate,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import { bareManifest } from "./declared_manifest.ts";
import { counterEvidence, CounterTask } from "./counter_task.ts";

const manifest = bareManifest({
  run_id: "00000000-0000-4000-8000-000000000001",
  created: "2026-01-01T00:00:00.000Z",
  task: "counter",
  proposal_source: "scripted",
});
const identity = runIdentity(manifest);
const sealed = { head: sha256(manifestBytes(manifest)), count: 0 };

/** Conducts a run of the counter; the world answers with these numbers. */
async function countLive(
  folder: string,
  proposals: readonly string[],
  numbers: readonly (number | Error)[],
): Promise<JsonObject> {
  publish(unflushedFiles, folder, MANIFEST_NAME, manifestBytes(manifest));
  const writer = AuditWriter.create(unflushedFiles, folder, sealed.head);
  const recorder = new LiveRecorder({
    writer,
    clock: countingClock(),
    runId: identity.runId,
    source: identity.source,
    durable: ["roll_begun", "rolled"],
  });
  const next = numbers.values();
  const world = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    const { value } = next.next();
    if (value instanceof Error) throw value;
    return value ?? 0;
  };
  const content = await conductRun(
    {
      task: new CounterTask(recorder as Recorder, world),
      source: scriptedSource(proposals),
      gate: openGate,
      recorder: recorder as unknown as Recorder<LoopFacts, LoopDerived>,
    },
    identity,
    noProgress(),
  );
  const report = finalReport(content, { audit: writer.head });
  publish(unflushedFiles, folder, FINAL_NAME, finalBytes(report));
  writer.close();
  return report;
}

function readAll(
  folder: string,
): { records: AuditRecord[]; head: AuditHead } {
  const { runId } = identity;
  const file = unflushedFiles.open(`${folder}/${AUDIT_NAME}`);
  try {
    const { catalogue } = counterEvidence;
    const reader = new AuditReader(file, runId, catalogue, sealed);
    return { records: [...reader], head: reader.head };
  } finally {
    file.close();
  }
}

function rederived(records: Iterable<AuditRecord>): Promise<Rederived> {
  return rederive(records, identity, counterEvidence);
}

const PROPOSALS = ["add 4", "nonsense", "roll", "add 3"];
const EVENTS = [
  "request_assembled",
  "proposal_received",
  "proposal_admitted",
  "observation_made",
  "request_assembled",
  "proposal_received",
  "observation_made",
  "request_assembled",
  "proposal_received",
  "proposal_admitted",
  "roll_begun",
  "rolled",
  "observation_made",
  "request_assembled",
  "proposal_received",
  "proposal_admitted",
  "observation_made",
  "loop_stopped",
  "times_measured",
  "run_ended",
];

Deno.test("conductRun() carries a task with an effect that takes time", async () => {
  using folder = freshFolder();
  const final = await countLive(folder.path, PROPOSALS, [3]);
  const records = readAll(folder.path).records;
  assert.deepEqual(records.map(({ event }) => event), EVENTS);
  const { elapsed_ms: _, audit, ...rest } = final;
  assert.deepEqual(rest, {
    format: "tinycoder/final",
    format_version: 1,
    run_id: identity.runId,
    task: "counter",
    source: "scripted",
    core_trial: false,
    extension: null,
    stop_reason: "goal_reached",
    detail: null,
    proposals: 4,
    invalid_proposals: 1,
    model_calls: 0,
    verified_success: true,
    count: 10,
    recovered: false,
  });
  assert.equal((audit as JsonObject)["count"], EVENTS.length);
  finalSchema.parse(final);
});

Deno.test("rederive() makes the same run of the same facts", async () => {
  using folder = freshFolder();
  const final = await countLive(folder.path, PROPOSALS, [3]);
  const again = await rederived(readAll(folder.path).records);
  assert.ok(again.kind === "complete");
  const { format: _f, format_version: _v, audit: _a, ...content } = final;
  assert.deepEqual(again.final, content);
});

Deno.test("rederive() makes the same run where the effect failed", async () => {
  using folder = freshFolder();
  const final = await countLive(folder.path, PROPOSALS, [
    new RangeError("no dice"),
  ]);
  assert.equal(final["stop_reason"], "harness_error");
  assert.equal(final["detail"], "RangeError");
  const again = await rederived(readAll(folder.path).records);
  assert.ok(again.kind === "complete");
  assert.equal(again.final["stop_reason"], "harness_error");
});

Deno.test("rederive() finds any record that was changed, left out or repeated", async () => {
  using folder = freshFolder();
  await countLive(folder.path, PROPOSALS, [3]);
  const records = readAll(folder.path).records;
  for (const [index, record] of records.entries()) {
    const what = `${record.event_id} ${record.event}`;
    const without = records.toSpliced(index, 1);
    if (index < records.length - 1) {
      assert.equal((await rederived(without)).kind, "diverged", what);
    }
    const twice = records.toSpliced(index, 0, record);
    assert.equal((await rederived(twice)).kind, "diverged", what);
    if (record.kind === "fact" && record.event !== "rolled") continue;
    const content = record.event === "rolled"
      ? { number: 2 }
      : { ...record.content, count: 77 };
    const changed = records.with(index, { ...record, content });
    const found = await rederived(changed);
    assert.ok(found.kind === "diverged", what);
    // A fact is taken as it is; what follows from it is where it shows.
    const at = record.kind === "fact" ? index + 1 : index;
    assert.equal(found.divergence.found?.event_id, at + 1, what);
  }
});

Deno.test("AuditReader shows a changed byte in any record", async () => {
  using folder = freshFolder();
  const final = await countLive(folder.path, PROPOSALS, [3]);
  const path = `${folder.path}/${AUDIT_NAME}`;
  const bytes = fs.readFileSync(path);
  assert.deepEqual(readAll(folder.path).head, final["audit"]);
  for (let at = 100; at < bytes.length; at += 397) {
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    fs.writeFileSync(path, changed);
    try {
      // Nothing chains to the last record but the final report.
      const { head } = readAll(folder.path);
      assert.notDeepEqual(head, final["audit"], `byte ${at}`);
    } catch (error) {
      if (!(error instanceof AuditFinding)) throw error;
    }
  }
});

Deno.test("recoverRun() closes a run of the counter that was cut off anywhere", async () => {
  using folder = freshFolder();
  await countLive(folder.path, PROPOSALS, [3]);
  const path = `${folder.path}/${AUDIT_NAME}`;
  const lines = fs.readFileSync(path, "utf8").split("\n").slice(0, -1);
  for (let kept = 0; kept <= EVENTS.length; kept++) {
    const torn = lines[kept]?.slice(0, 40) ?? "";
    fs.rmSync(`${folder.path}/${FINAL_NAME}`);
    fs.rmSync(`${folder.path}/recovery.jsonl`, { force: true });
    fs.writeFileSync(
      path,
      lines.slice(0, kept).map((line) => `${line}\n`).join("") + torn,
    );
    const recover = () =>
      recoverRun({
        files: unflushedFiles,
        folder: folder.path,
        clock: countingClock(),
        evidenceOf: (task) => task === "counter" ? counterEvidence : null,
      });
    const { already, final } = await recover();
    assert.equal(already, false);
    const stopped = kept > EVENTS.indexOf("loop_stopped");
    const { stop_reason, detail, verified_success, count, recovered } = final;
    // An addition shows in its observation, a roll in its fact already.
    const counted = kept > 16 ? 10 : kept > 11 ? 7 : kept > 3 ? 4 : 0;
    assert.deepEqual(
      { stop_reason, detail, verified_success, count, recovered },
      {
        stop_reason: stopped ? "goal_reached" : "harness_error",
        detail: stopped ? null : "process_died",
        verified_success: false,
        count: counted,
        recovered: true,
      },
      `${kept} records`,
    );
    const added = fs.readFileSync(`${folder.path}/recovery.jsonl`, "utf8")
      .split("\n").slice(0, -1).map((line) => JSON.parse(line)["event"]);
    const open = kept === EVENTS.indexOf("rolled");
    assert.deepEqual(added, [
      "tail_found",
      ...(open ? ["roll_dropped"] : []),
      "run_recovered",
    ]);
    const closed = contentsOf(folder.path);
    assert.equal((await recover()).already, true);
    assert.deepEqual(contentsOf(folder.path), closed);
  }
});
