// The scripted baseline without threads: the same composition that the
// controller's worker conducts, over a file interface of the test's choice.

import type { Gate, MonotonicMs } from "../lib/agent/gate.ts";
import type { JsonObject } from "../lib/agent/json.ts";
import type { Source } from "../lib/agent/source.ts";
import { evidenceOf } from "../lib/cli/lab_evidence.ts";
import { conductLabRun } from "../lib/cli/lab_run.ts";
import { type Recovered, recoverRun } from "../lib/evidence/recovery.ts";
import { scriptedSource } from "../lib/source/scripted_source.ts";
import type { Clock } from "../lib/system/clock.ts";
import { diskFiles, type Files } from "../lib/system/files.ts";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import { declaredManifest } from "./declared_manifest.ts";

/** The operating system's files, without waiting for the device. */
export const unflushedFiles: Files = {
  ...diskFiles,
  create: (path) => ({ ...diskFiles.create(path), sync: () => {} }),
  syncFolder: () => {},
};

/** A clock that goes on by one millisecond whenever it is read. */
export function countingClock(startMs = 0): Clock {
  let now = startMs;
  return {
    now: () => ++now as MonotonicMs,
    wallTime: () => new Date(Date.UTC(2026, 0, 1) + now).toISOString(),
  };
}

/** A gate that never says stop. */
export const openGate: Gate = {
  stop: () => null,
  runExpired: () => false,
  beginCall: () => {},
  endCall: () => {},
  deadline: Infinity as MonotonicMs,
};

/** What may differ from the plain baseline. */
export interface BaselineChanges {
  readonly source?: Source;
  readonly gate?: Gate;
}

/** Conducts the scripted baseline in an empty folder, given by its real path. */
export function conductBaseline(
  files: Files,
  folder: string,
  { source = scriptedSource(baseline), gate = openGate }: BaselineChanges = {},
): Promise<JsonObject> {
  const clock = countingClock();
  const manifest = declaredManifest({ created: clock.wallTime() });
  return conductLabRun({ files, folder, manifest, source, gate, clock });
}

/**
 * Recovers a run of the lab's task, given by its folder's real path.
 *
 * @param startMs Reading of the clock, so that no two recoveries agree by chance.
 */
export function recoverLabRun(
  files: Files,
  folder: string,
  startMs = 0,
): Promise<Recovered> {
  return recoverRun({
    files,
    folder,
    clock: countingClock(startMs),
    evidenceOf: evidenceOf(files, folder),
  });
}

/** A fresh, empty folder's real path; `using` removes it at the end. */
export function freshFolder(): Disposable & { readonly path: string } {
  const path = Deno.realPathSync(Deno.makeTempDirSync());
  return {
    path,
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}
