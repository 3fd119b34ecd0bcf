// Clocks as machines have them: one on the wall that is set, by a person or over
// the network, while the one that measures goes on, or doesn't.

import type { MonotonicMs } from "../lib/agent/gate.ts";
import type { Clock } from "../lib/system/clock.ts";

/** A clock whose wall time is any of these in turn, over and over. */
export class WanderingClock implements Clock {
  /** Readings of the wall so far. */
  readonly shown: string[] = [];
  readonly #walls: readonly string[];
  readonly #stepMs: number;
  #ms = 0;

  /**
   * @param walls Times, ISO 8601.
   * @param stepMs By how much the other clock goes on at each reading, in
   * milliseconds; 0 for one that stands still.
   */
  constructor(walls: readonly string[], stepMs: number) {
    this.#walls = walls;
    this.#stepMs = stepMs;
  }

  now(): MonotonicMs {
    return (this.#ms += this.#stepMs) as MonotonicMs;
  }

  wallTime(): string {
    const wall = this.#walls[this.shown.length % this.#walls.length]!;
    const shown = new Date(wall).toISOString();
    this.shown.push(shown);
    return shown;
  }
}
