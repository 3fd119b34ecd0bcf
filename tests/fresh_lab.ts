// The lab's task over real files in a fresh folder, with a clock that the test
// turns: everything of a run but the loop and the source.

import { createWorkspace, openWorkspace } from "../lib/lab/workspace.ts";
import { LabTask } from "../lib/lab/lab_task.ts";
import type { LabRecorder } from "../lib/lab/lab_events.ts";
import type { Workspace } from "../lib/lab/workspace.ts";
import type { LabOutcome } from "../lib/lab/observation.ts";
import { DeadlineGate } from "../lib/supervisor/deadline_gate.ts";
import { StopWordCell } from "../lib/supervisor/stop_word_cell.ts";
import type { MonotonicMs } from "../lib/agent/gate.ts";
import type { JsonObject } from "../lib/agent/json.ts";
import type { Files } from "../lib/system/files.ts";
import { freshFolder, unflushedFiles } from "./baseline_in_process.ts";
import { HandClock } from "./hand_clock.ts";
import { keepRecords, type KeptRecords } from "./kept_records.ts";

/** When a fresh lab's run ends, on its clock, in milliseconds. */
export const RUN_DEADLINE_MS = 600_000;

/** A fresh workspace, and what a task needs to work on it. */
export interface FreshLab extends Disposable {
  /** Real path of the run's folder. */
  readonly folder: string;
  readonly clock: HandClock;
  readonly cell: StopWordCell;
  readonly gate: DeadlineGate;
  readonly workspace: Workspace;
  readonly recorder: LabRecorder;
  readonly kept: KeptRecords;
  readonly task: LabTask;
  /** One proposal through contract and dispatcher, and into the log. */
  take(proposal: JsonObject | string): LabOutcome;
  /** Text of a file below the run's folder. */
  text(path: string): string;
  /** Writes a file below the run's folder, as somebody else would. */
  tamper(path: string, text: string): void;
}

/** Creates a fresh lab; `using` removes it. */
export function freshLab(files: Files = unflushedFiles): FreshLab {
  const fresh = freshFolder();
  const folder = fresh.path;
  createWorkspace(unflushedFiles, folder);
  const clock = new HandClock();
  const cell = new StopWordCell();
  const gate = new DeadlineGate(cell, clock, {
    runDeadline: RUN_DEADLINE_MS as MonotonicMs,
    callMs: 120_000,
  });
  const kept = keepRecords(unflushedFiles, folder, clock);
  const recorder = kept.recorder as unknown as LabRecorder;
  const workspace = openWorkspace(files, folder);
  const task = new LabTask({ recorder, gate, workspace });
  return {
    folder,
    clock,
    cell,
    gate,
    workspace,
    recorder,
    kept,
    task,
    take: (proposal) => {
      const text = typeof proposal === "string"
        ? proposal
        : JSON.stringify(proposal);
      recorder.proposalNumber++;
      const verdict = task.admit(new TextEncoder().encode(text));
      const outcome = "refused" in verdict
        ? verdict.refused
        : task.perform(verdict.action);
      const { observation, counts } = outcome;
      const event = recorder.derived("observation_made", {
        observation,
        counts,
      });
      task.remember(outcome, event);
      return outcome;
    },
    text: (path) => Deno.readTextFileSync(`${folder}/${path}`),
    tamper: (path, text) => Deno.writeTextFileSync(`${folder}/${path}`, text),
    [Symbol.dispose]: () => {
      kept[Symbol.dispose]();
      fresh[Symbol.dispose]();
    },
  };
}

/** Proposals of the lab's repair (lab Part 7), by what they do. */
export const PROPOSE = {
  readSource: { action: "read", file: "toy_math.py" },
  readTask: { action: "read", file: "TASK.txt" },
  test: { action: "test" },
  repairClamp: {
    action: "replace",
    function: "clamp",
    old: "x",
    new: "lo if x < lo else hi if x > hi else x",
    version: 0,
  },
  repairTotal: {
    action: "replace",
    function: "total",
    old: "unit + qty + fee",
    new: "unit * qty + fee",
    version: 1,
  },
  finish: (version: number) => ({ action: "finish", version }),
  /** The clamp's expression by one that says the same. */
  keepClamp: {
    action: "replace",
    function: "clamp",
    old: "x",
    new: "x",
    version: 0,
  },
} as const;
