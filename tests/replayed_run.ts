// Replays a run in process, with today's controller or one that was changed on
// purpose.

import { conductLabRun, type LabRunParts } from "../lib/cli/lab_run.ts";
import { readRecords, type ReadRun } from "../lib/cli/read_records.ts";
import { attemptsOf } from "../lib/cli/replay.ts";
import { compareRuns, type ReplayComparison } from "../lib/evidence/replay.ts";
import { recordedSource } from "../lib/source/recorded_source.ts";
import {
  countingClock,
  freshFolder,
  openGate,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { declaredManifest } from "./declared_manifest.ts";
import {
  MEMORY_FOLDER,
  memoryFiles,
  readRunFiles,
  type RunFiles,
} from "./memory_files.ts";

/** The manifest and records of a run. */
export function recordsOf(files: RunFiles): ReadRun {
  return readRecords(memoryFiles(files), MEMORY_FOLDER, "Cannot read");
}

/** A replay, and how it compares. */
export interface Replayed {
  readonly comparison: ReplayComparison;
  readonly files: RunFiles;
}

/** Replays a run, with a controller that may have been changed. */
export async function replayed(
  files: RunFiles,
  changes: Pick<LabRunParts, "prepare"> & Partial<LabRunParts> = {},
): Promise<Replayed> {
  const { manifest, records } = recordsOf(files);
  using folder = freshFolder();
  const clock = countingClock();
  await conductLabRun({
    files: unflushedFiles,
    folder: folder.path,
    manifest: declaredManifest({ created: clock.wallTime() }, {
      source: "recorded",
      extension: `Replay of run ${manifest.run_id}`,
    }),
    source: recordedSource(attemptsOf(records)),
    gate: openGate,
    clock,
    recorded: records,
    ...changes,
  });
  const fresh = readRunFiles(folder.path);
  const comparison = compareRuns(records, recordsOf(fresh).records);
  return { comparison, files: fresh };
}
