// Time that passes only when a test says so.

import type { MonotonicMs } from "../lib/agent/gate.ts";
import type { Clock } from "../lib/system/clock.ts";

/** A clock that a test turns by hand. */
export class HandClock implements Clock {
  /** What it shows, in milliseconds. */
  ms = 0;
  /** Called at each reading, before it; for what happens in the meantime. */
  onRead: () => void = () => {};

  now(): MonotonicMs {
    this.onRead();
    return this.ms as MonotonicMs;
  }

  wallTime(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.ms).toISOString();
  }
}
