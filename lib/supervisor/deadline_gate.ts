// Lab Part 9: absolute monotonic deadlines. Each thread checks its own clock as
// well as the shared word, so that a late timer can't let anything through.

import type { Gate, MonotonicMs, StopWord } from "../agent/gate.ts";
import type { Clock } from "../system/clock.ts";
import type { StopWordCell } from "./stop_word_cell.ts";

/** The run's deadlines. */
export interface Deadlines {
  /** When the run must be over, on the run's clock, in milliseconds. */
  readonly runDeadline: MonotonicMs;
  /** How long one call may take, in milliseconds. */
  readonly callMs: number;
}

/** Ten minutes for a run (lab Part 1), in milliseconds. */
export const RUN_MS = 10 * 60 * 1_000;
/** Two minutes for a call (lab Part 9), in milliseconds. */
export const CALL_MS = 120 * 1_000;

/** A gate over the shared word, a clock and the run's deadlines. */
export class DeadlineGate implements Gate {
  readonly #cell: StopWordCell;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  #callDeadline: MonotonicMs | null = null;

  constructor(cell: StopWordCell, clock: Clock, deadlines: Deadlines) {
    this.#cell = cell;
    this.#clock = clock;
    this.#deadlines = deadlines;
  }

  get deadline(): MonotonicMs {
    const { runDeadline } = this.#deadlines;
    return this.#callDeadline !== null && this.#callDeadline < runDeadline
      ? this.#callDeadline
      : runDeadline;
  }

  stop(): StopWord | null {
    const word = this.#cell.get();
    if (word !== null) return word;
    const now = this.#clock.now();
    if (now >= this.#deadlines.runDeadline) {
      return this.#cell.set("run_expired");
    }
    return this.#callDeadline !== null && now >= this.#callDeadline
      ? this.#cell.set("call_expired")
      : null;
  }

  runExpired(): boolean {
    return this.#cell.get() === "run_expired" ||
      this.#clock.now() >= this.#deadlines.runDeadline;
  }

  beginCall(): void {
    this.#callDeadline =
      (this.#clock.now() + this.#deadlines.callMs) as MonotonicMs;
  }

  endCall(): void {
    this.#callDeadline = null;
  }
}
