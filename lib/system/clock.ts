// Lab Part 1: deadlines are monotonic. A thread's performance.now() counts from
// its own start, and performance.timeOrigin is wall-based and can differ after
// the clock was set, so threads are tied together by a handshake instead.

import type { MonotonicMs } from "../agent/gate.ts";

/** Time, as the program sees it; tests turn it by hand. */
export interface Clock {
  /** Milliseconds since the run's origin, monotonic. */
  now(): MonotonicMs;
  /** Wall time, ISO 8601 in UTC with milliseconds. */
  wallTime(): string;
}

/**
 * This thread's clock.
 *
 * @param originMs What to add to this thread's own count so that it agrees with
 * the thread that started the run, in milliseconds.
 */
export function threadClock(originMs = 0): Clock {
  return {
    now: () => (performance.now() + originMs) as MonotonicMs,
    wallTime: () => new Date().toISOString(),
  };
}
