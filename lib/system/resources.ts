// Lab Part 1: resources are checked before anything is acquired or loaded, and
// the window between commands is measured by the machine's uptime, which no
// change of the wall clock moves.

import { statfsSync } from "node:fs";
import process from "node:process";

/** Since when, and at what wall time, the machine runs. */
export interface BootFacts {
  /** Whole seconds since the machine started, rounded down. */
  readonly uptimeSeconds: number;
  /** Wall time, in milliseconds since 1970. */
  readonly wallMs: number;
}

/** What the machine has, as the program sees it; tests inject their own. */
export interface Resources {
  bootFacts(): BootFacts;
  /** Bytes of memory that a program can still get. */
  availableMemoryBytes(): number;
  /** Bytes of memory that the machine has. */
  totalMemoryBytes(): number;
  /**
   * Bytes that this user can still write below `path`.
   *
   * @throws The system's error where the folder can't be asked.
   */
  freeDiskBytes(path: string): number;
}

/** This machine's resources. Needs sys: osUptime, systemMemoryInfo, statfs. */
export const machineResources: Resources = {
  bootFacts: () => ({
    uptimeSeconds: Math.floor(Deno.osUptime()),
    wallMs: Date.now(),
  }),
  availableMemoryBytes: () => withinLimit(Deno.systemMemoryInfo().available),
  totalMemoryBytes: () => withinLimit(Deno.systemMemoryInfo().total),
  freeDiskBytes: (path) => {
    const { bavail, bsize } = statfsSync(path, { bigint: true });
    return Number(bavail * bsize);
  },
};

/**
 * Memory that a program gets of what the machine has: a container's limit ends
 * programs long before the machine has nothing left.
 *
 * @param limit The control group's limit, in bytes; 0 where none is known.
 */
export function withinLimit(
  bytes: number,
  limit: number = process.constrainedMemory(),
): number {
  return limit > 0 ? Math.min(bytes, limit) : bytes;
}
