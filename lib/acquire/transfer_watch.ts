// Lab Part 1: monotonic deadlines. One timer watches what would otherwise need
// a timer for every read: the time since the last byte, the acquisition's end,
// and the user's cancellation.

import { TransportFault } from "./transport_fault.ts";
import { type WindowEnd, windowEndText } from "./window.ts";

/** Ends waiting by closing whatever is waited for. */
export class TransferWatch {
  readonly #idleMs: number;
  readonly #deadlineMs: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #waitingSinceMs = performance.now();
  #tripped: TransportFault | null = null;
  #windowEnd: WindowEnd | null = null;
  /** How to end the present wait, and whether bytes are expected in it. */
  #wait: { readonly close: () => void; readonly bytes: boolean } | null = null;

  /**
   * @param idleMs Longest time without a byte, in milliseconds.
   * @param remainingMs Time that the acquisition has left, in milliseconds.
   */
  constructor(idleMs: number, remainingMs: number) {
    this.#idleMs = idleMs;
    this.#deadlineMs = performance.now() + remainingMs;
    const periodMs = Math.max(5, Math.min(250, idleMs / 4, remainingMs / 4));
    this.#timer = setInterval(() => this.#look(), periodMs);
  }

  /** Milliseconds until the acquisition's end; 0 when it is over. */
  remainingMs(): number {
    return Math.max(0, this.#deadlineMs - performance.now());
  }

  /** Why nothing more may be waited for; an idle connection isn't such a reason. */
  over(): TransportFault | null {
    if (this.#tripped === null && this.remainingMs() === 0) this.#look();
    return this.#tripped?.kind === "idle" ? null : this.#tripped;
  }

  /** Ends the acquisition at the user's wish. */
  cancel(why: string): void {
    this.#trip(new TransportFault("cancelled", why));
  }

  /**
   * Ends the acquisition because its time is over by another clock.
   *
   * @param ended Why its whole window is; null where only the transfer's time is.
   */
  expire(ended: WindowEnd | null): void {
    this.#windowEnd ??= ended;
    this.#trip(
      ended === null || ended === "elapsed"
        ? expired()
        : new TransportFault("deadline", windowEndText(ended)),
    );
  }

  /** Why the whole window is over, as far as it was told. */
  get windowEnd(): WindowEnd | null {
    return this.#windowEnd;
  }

  /**
   * Waits for `work`; calls `close` if that takes too long, and then throws why.
   *
   * @throws {TransportFault} `idle`, `deadline` or `cancelled`, or what `work`
   *   throws by itself.
   */
  async guard<T>(close: () => void, work: () => Promise<T>): Promise<T> {
    const over = this.over();
    if (over !== null) throw over;
    this.#tripped = null;
    this.#wait = { close, bytes: true };
    this.#waitingSinceMs = performance.now();
    try {
      return await work();
    } catch (error) {
      throw this.#tripped ?? error;
    } finally {
      this.#wait = null;
    }
  }

  /** Waits without a connection, at most until the acquisition is over. */
  async pause(ms: number): Promise<void> {
    let wake = (): void => {};
    const timer = setTimeout(() => wake(), Math.min(ms, this.remainingMs()));
    this.#wait = { close: () => wake(), bytes: false };
    try {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (this.over() !== null) resolve();
      });
    } finally {
      clearTimeout(timer);
      this.#wait = null;
    }
  }

  /** Ends watching. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.remainingMs() === 0) this.#trip(expired());
    else if (
      this.#wait?.bytes === true &&
      performance.now() - this.#waitingSinceMs >= this.#idleMs
    ) {
      this.#trip(
        new TransportFault(
          "idle",
          `no byte arrived for ${seconds(this.#idleMs)}`,
        ),
      );
    }
  }

  #trip(fault: TransportFault): void {
    if (this.#tripped === null || this.#tripped.kind === "idle") {
      this.#tripped = fault;
    }
    this.#wait?.close();
  }
}

function expired(): TransportFault {
  return new TransportFault(
    "deadline",
    "the time for acquiring, 20 minutes, is over",
  );
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
