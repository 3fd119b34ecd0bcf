import assert from "node:assert/strict";
import {
  freshFolder,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { HandClock } from "../../tests/hand_clock.ts";
import { keepRecords } from "../../tests/kept_records.ts";
import { LampTask } from "../../tests/lamp_task.ts";
import { scriptedSource } from "../source/scripted_source.ts";
import { DeadlineGate } from "../supervisor/deadline_gate.ts";
import { StopWordCell } from "../supervisor/stop_word_cell.ts";
import type { LoopDerived, LoopFacts } from "./events.ts";
import type { MonotonicMs } from "./gate.ts";
import { noProgress } from "./loop.ts";
import type { Recorder } from "./recorder.ts";
import { conductRun, finalContent, type RunIdentity } from "./run.ts";

const identity: RunIdentity = {
  runId: "00000000-0000-4000-8000-000000000000",
  task: "lamp",
  source: "scripted",
  coreTrial: false,
  extension: null,
};

Deno.test("finalContent() keeps termination and evaluation apart", () => {
  assert.deepEqual(
    finalContent(
      identity,
      { proposals: 4, invalidProposals: 1, stop: "cancelled", detail: null },
      { verified_success: false, version: 1 },
      { recovered: true, elapsed_ms: { total: 5 } },
    ),
    {
      run_id: identity.runId,
      task: "lamp",
      source: "scripted",
      core_trial: false,
      extension: null,
      stop_reason: "cancelled",
      detail: null,
      proposals: 4,
      invalid_proposals: 1,
      model_calls: 0,
      verified_success: false,
      version: 1,
      recovered: true,
      elapsed_ms: { total: 5 },
    },
  );
});

Deno.test("finalContent() counts calls of a model only", () => {
  const calls = (source: string) =>
    finalContent(
      { ...identity, source, coreTrial: true, extension: "other" },
      { proposals: 3, invalidProposals: 0, stop: null, detail: null },
      {},
      { recovered: false, elapsed_ms: {} },
    );
  const { model_calls, core_trial, extension } = calls("model");
  assert.deepEqual([model_calls, core_trial, extension], [3, true, "other"]);
  assert.equal(calls("stdio")["model_calls"], 0);
});

Deno.test("conductRun() evaluates once, measures the times, and records what it returns", async () => {
  using fresh = freshFolder();
  const clock = new HandClock();
  using kept = keepRecords(unflushedFiles, fresh.path, clock);
  const gate = new DeadlineGate(new StopWordCell(), clock, {
    runDeadline: 600_000 as MonotonicMs,
    callMs: 120_000,
  });
  const task = new LampTask();
  const evaluated: string[] = [];
  const evaluate = task.evaluate.bind(task);
  task.evaluate = (stop) => {
    evaluated.push(stop);
    clock.ms += 4;
    return evaluate(stop);
  };
  const final = await conductRun(
    {
      task,
      source: scriptedSource(["on", "unplug"]),
      gate,
      recorder: kept.recorder as unknown as Recorder<LoopFacts, LoopDerived>,
    },
    identity,
    noProgress(),
  );
  assert.deepEqual(evaluated, ["unplugged"]);
  const elapsed_ms = { generation: 0, validation: 0, evaluation: 4, total: 4 };
  assert.deepEqual(final, {
    run_id: identity.runId,
    task: "lamp",
    source: "scripted",
    core_trial: false,
    extension: null,
    stop_reason: "unplugged",
    detail: "no power",
    proposals: 2,
    invalid_proposals: 0,
    model_calls: 0,
    verified_success: true,
    recovered: false,
    elapsed_ms,
  });
  assert.deepEqual(kept.said().slice(-2), [
    ["times_measured end", { elapsed_ms }],
    ["run_ended", final],
  ]);
});
