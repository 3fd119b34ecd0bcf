// What a trial takes of the machine, and the words in which it is agreed to.

import { pinnedPlan } from "../acquire/checkpoint_plan.ts";
import type { CheckpointManifest } from "../model/checkpoint_manifest.ts";
import type { Refuse } from "../system/fresh_folder.ts";
import type { Resources } from "../system/resources.ts";
import { RUN_COVERS } from "./run_covers.ts";
import type { TrialOptions } from "./trial.ts";

/** Bytes that a float32 copy and its surroundings take, for a stored byte. */
const MEMORY_FACTOR = 3;
/** Room for runtime and libraries, in bytes. */
const MEMORY_FLOOR = 300_000_000;
/** Room for the engine's native files and a run's evidence, in bytes. */
const DISK_BYTES = 100_000_000;

/** What a trial is estimated to take, in bytes. */
export interface Needs {
  readonly memory: number;
  readonly disk: number;
}

/** What a trial is estimated to take. */
export function trialNeeds(manifest: CheckpointManifest): Needs {
  const stored = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    memory: manifest.pinned
      ? pinnedPlan().memoryBytes
      : MEMORY_FACTOR * stored + MEMORY_FLOOR,
    disk: DISK_BYTES,
  };
}

/**
 * What a trial will take.
 *
 * @throws {CommandError} from `refuse`, where there is too little.
 */
export function requireRoom(
  resources: Resources,
  manifest: CheckpointManifest,
  refuse: Refuse,
): Needs {
  const { memory, disk } = trialNeeds(manifest);
  const available = resources.availableMemoryBytes();
  if (available < memory) {
    throw refuse(
      `it needs about ${gigabytes(memory)} of memory, and ${
        gigabytes(available)
      } are available`,
      "Close other programs, raise a memory limit that is set, or use a machine with more memory.",
    );
  }
  const free = resources.freeDiskBytes(".");
  if (free < disk) {
    throw refuse(
      `it needs about ${gigabytes(disk)} of free disk, and ${
        gigabytes(free)
      } are free`,
      "Free some space first.",
    );
  }
  return { memory, disk };
}

/** What is shown before the yes, its question last. */
export function trialText(
  { modelDirectory, extension }: TrialOptions,
  manifest: CheckpointManifest,
  coreTrial: boolean,
  needs: Needs,
  runFolder: string,
): string {
  return [
    `Model            ${manifest.label}, in ${modelDirectory}`,
    `Run              ${runFolder}, a new folder`,
    coreTrial
      ? "Kind             the core trial: the one that this model folder has"
      : `Kind             an extension: ${extension}`,
    `Memory           about ${gigabytes(needs.memory)}`,
    `Disk             about ${gigabytes(needs.disk)}`,
    "Time             at most 10 minutes, 2 of them for one call",
    `It authorises    ${RUN_COVERS}.`,
    "",
    "Load this model and let it make at most six proposals?",
  ].join("\n");
}

function gigabytes(bytes: number): string {
  return bytes < 1e9
    ? `${Math.ceil(bytes / 1e6)} MB`
    : `${(bytes / 1e9).toFixed(1)} GB`;
}
