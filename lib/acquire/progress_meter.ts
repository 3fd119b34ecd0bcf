// Progress for whoever watches: at most a few messages a second, and one when a
// file is complete, however fast the bytes come.

import type { CheckpointPlan, PlannedFile } from "./checkpoint_plan.ts";
import type { TransferProgress } from "./messages.ts";

/** Shortest time between two messages about one file, in milliseconds. */
const PERIOD_MS = 200;

/** Turns counts into {@link TransferProgress}. */
export class ProgressMeter {
  readonly #plan: CheckpointPlan;
  readonly #tell: (progress: TransferProgress) => void;
  readonly #counted = new Map<string, number>();
  #toldMs = -Infinity;

  /**
   * @param plan What is acquired.
   * @param tell Told of progress.
   */
  constructor(
    plan: CheckpointPlan,
    tell: (progress: TransferProgress) => void,
  ) {
    this.#plan = plan;
    this.#tell = tell;
  }

  /** Takes note that so many bytes of a file are there. */
  count(file: PlannedFile, bytes: number): void {
    this.#counted.set(file.name, bytes);
    const now = performance.now();
    if (now - this.#toldMs >= PERIOD_MS) this.#say(file, bytes, false, now);
  }

  /** Takes note that a file is verified. */
  complete(file: PlannedFile): void {
    this.#counted.set(file.name, file.bytes);
    this.#say(file, file.bytes, true, performance.now());
  }

  #say(
    file: PlannedFile,
    fileBytes: number,
    verified: boolean,
    now: number,
  ): void {
    this.#toldMs = now;
    let bytes = 0;
    for (const counted of this.#counted.values()) bytes += counted;
    this.#tell({
      file: file.name,
      fileBytes,
      fileTotalBytes: file.bytes,
      bytes,
      totalBytes: this.#plan.totalBytes,
      verified,
    });
  }
}
