// A clock that only a scenario's acts move, so that a deadline is passed to the
// millisecond, and every run of a scenario writes the same bytes.

import type { MonotonicMs } from "../../agent/gate.ts";
import type { Clock } from "../../system/clock.ts";

/** A clock that is turned by hand. */
export class HandTurnedClock implements Clock {
  #now = 0;

  now(): MonotonicMs {
    return this.#now as MonotonicMs;
  }

  wallTime(): string {
    return new Date(this.#now).toISOString();
  }

  /** Turns it forward. */
  advance(ms: number): void {
    this.#now += ms;
  }
}
