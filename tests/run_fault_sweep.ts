// Every kind of run with a fault at any of its operations. Whatever happens
// there, the run ends by a report that holds, or recovery leads to one.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { JsonObject } from "../lib/agent/json.ts";
import { conductLabRun } from "../lib/cli/lab_run.ts";
import { attemptsOf } from "../lib/cli/replay.ts";
import { recordedSource } from "../lib/source/recorded_source.ts";
import { scriptedSource } from "../lib/source/scripted_source.ts";
import type { Files } from "../lib/system/files.ts";
import {
  countingClock,
  freshFolder,
  openGate,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { declaredManifest } from "./declared_manifest.ts";
import { DEADLY, type Fault, type FaultKind } from "./fault_kinds.ts";
import { closeAndCheck, places, wholeBaseline } from "./fault_sweep.ts";
import { FaultyFiles } from "./faulty_files.ts";
import { readRunFiles } from "./memory_files.ts";
import { recordsOf } from "./replayed_run.ts";
import { conductIn, RUN_KINDS, type RunKind, stoppedAt } from "./swept_runs.ts";
import baseline from "../fixtures/baseline.json" with { type: "json" };

/** Operations without which a power cut may take what was written. */
const FLUSHES = ["sync", "syncFolder"];

/** What a meddler makes of the source. */
const OUTSIDE = "x\n";

/** A kind of run that meets faults. */
export interface FaultyRunKind extends RunKind {
  /** Kinds of faults after which its evidence isn't expected to hold. */
  readonly except?: readonly FaultKind[];
}

/** The runs of the mutation sweep, and more of them. */
export const FAULTY_RUN_KINDS: readonly FaultyRunKind[] = [
  ...RUN_KINDS,
  {
    // Finds its source changed from outside in the midst of its first edit.
    name: "conflict_in_edit",
    conduct: (folder, files) => {
      const target = `${folder}/workspace/toy_math.py`;
      const meddled: Files = {
        realPath: (path) => files.realPath(path),
        facts: (path) => files.facts(path),
        list: (path) => files.list(path),
        open: (path) => files.open(path),
        create: (path) => {
          if (path.endsWith(".tmp")) Deno.writeTextFileSync(target, OUTSIDE);
          return files.create(path);
        },
        makeFolder: (path) => files.makeFolder(path),
        rename: (from, to) => files.rename(from, to),
        remove: (path) => files.remove(path),
        syncFolder: (path) => files.syncFolder(path),
        lock: (path) => files.lock(path),
      };
      return conductIn(
        { folder, files: meddled, source: "scripted" },
        scriptedSource(baseline),
      );
    },
  },
  {
    // Does a whole run again from its record. What its own disk did to an edit
    // that the record tells nothing of can't be told from what it was told.
    name: "replay",
    except: ["eio_of_path"],
    conduct: async (folder, files) => {
      using original = freshFolder();
      await RUN_KINDS[0]!.conduct(original.path, unflushedFiles);
      const { manifest, records } = recordsOf(readRunFiles(original.path));
      const clock = countingClock();
      return await conductLabRun({
        files,
        folder,
        manifest: declaredManifest({ created: clock.wallTime() }, {
          source: "recorded",
          extension: `Replay of run ${manifest.run_id}`,
        }),
        source: recordedSource(attemptsOf(records)),
        gate: openGate,
        clock,
        recorded: records,
      });
    },
  },
  {
    // Its deadline passes: nothing is evaluated.
    name: "run_expired",
    conduct: (folder, files) =>
      conductIn(
        { folder, files, source: "scripted" },
        scriptedSource(baseline),
        { gate: stoppedAt(12, "run_expired") },
      ),
  },
];

/** How often each outcome came, by its description. */
export type Counts = Map<string, number>;

/**
 * Conducts a kind of run once for each place of each kind of fault.
 *
 * @param choose Which of the places; all of them if absent.
 */
export async function sweepRunFaults(
  run: FaultyRunKind,
  faults: readonly FaultKind[],
  choose: (places: readonly number[]) => readonly number[] = (all) => all,
): Promise<Counts> {
  const operations = await operationsOf(run);
  const { versions } = await wholeBaseline();
  const counts: Counts = new Map();
  for (const kind of faults) {
    if (run.except?.includes(kind)) continue;
    for (const at of choose(places(kind, operations))) {
      try {
        const outcome = await conductWithFault(run, { kind, at }, versions);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      } catch (error) {
        const where = `${kind} at operation ${at} (${operations[at - 1]})`;
        throw new Error(`${where} of a run of kind ${run.name}`, {
          cause: error,
        });
      }
    }
  }
  return counts;
}

async function operationsOf(
  { conduct }: FaultyRunKind,
): Promise<readonly string[]> {
  using folder = freshFolder();
  const files = new FaultyFiles(unflushedFiles);
  await conduct(folder.path, files);
  return files.operations;
}

async function conductWithFault(
  { conduct }: FaultyRunKind,
  fault: Fault,
  versions: readonly string[],
): Promise<string> {
  using folder = freshFolder();
  const { path } = folder;
  const files = new FaultyFiles(unflushedFiles, fault);
  let said: JsonObject | null = null;
  try {
    said = await conduct(path, files);
  } catch {
    // What is left is what counts.
  }
  assert.equal(files.stopped, DEADLY.has(fault.kind));
  if (said !== null) {
    assert.deepEqual(
      JSON.parse(fs.readFileSync(`${path}/final.json`, "utf8")),
      said,
    );
    // What a run that came to its end leaves is there after a power cut too,
    // unless it was a flush that failed.
    if (!FLUSHES.includes(files.operations[fault.at - 1]!)) files.cutPower();
  }
  return await closeAndCheck(path, versions, OUTSIDE);
}
