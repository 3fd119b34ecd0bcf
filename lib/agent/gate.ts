// Lab Part 9: cancellation and deadlines are owned outside the loop. The loop
// only asks, at each of the lab's check points, whether it must stop.

/** Why a run must stop, as the supervisor says it; the first word wins. */
export type StopWord = "cancelled" | "call_expired" | "run_expired";

/** An instant in milliseconds of this process's monotonic clock. */
export type MonotonicMs = number & { readonly monotonicMs: unique symbol };

/** Deadlines and cancellation, as one thread sees them. */
export interface Gate {
  /** The first reason to stop, or null while there is none. */
  stop(): StopWord | null;
  /** Whether the run's own deadline has passed, whatever {@link stop} says. */
  runExpired(): boolean;
  /** Starts a call: until {@link endCall}, its deadline counts too. */
  beginCall(): void;
  /** Ends the call that {@link beginCall} started. */
  endCall(): void;
  /** The earlier of the call's and the run's deadline. */
  readonly deadline: MonotonicMs;
}
