// One distinction makes a run verifiable: an event is a *fact* when it came
// from outside (a proposal's bytes, a stop word, a file found changed) and
// *derived* when the controller computed it. A live recorder takes facts from
// the world and writes both kinds down. A replaying recorder hands the recorded
// facts back, never looks at the world, and compares what is derived.

import type { JsonObject } from "./json.ts";

/** Event types by name, with the content each carries. */
export type EventTable = Record<string, JsonObject>;

/** Sequence number of a recorded event, from 1. */
export type EventId = number;

/** What times are kept of (lab Part 10), beside the run's total. */
export type TimedWork =
  | "load"
  | "counting"
  | "generation"
  | "validation"
  | "edit"
  | "test"
  | "evaluation";

/**
 * Where a run's events go, and where its facts come from.
 *
 * `at` names the place in the program that asks, so that a fact which is there
 * only sometimes is handed back at the same place on replay.
 */
export interface Recorder<
  Facts extends EventTable = EventTable,
  Derived extends EventTable = EventTable,
> {
  /** Number of the proposal that events belong to; 0 before the first. */
  proposalNumber: number;
  /**
   * Records what `take` learns from outside; null means there was nothing to
   * learn, and leaves no record. On replay `take` isn't called.
   */
  fact<K extends keyof Facts & string>(
    type: K,
    at: string,
    take: () => Facts[K] | null,
  ): Facts[K] | null;
  /** {@link fact} for what takes time to arrive. */
  factLater<K extends keyof Facts & string>(
    type: K,
    at: string,
    take: () => Promise<Facts[K] | null>,
  ): Promise<Facts[K] | null>;
  /** Records what follows from the facts so far. */
  derived<K extends keyof Derived & string>(
    type: K,
    content: Derived[K],
  ): EventId;
  /** Runs `work` and adds its duration to that kind's total. */
  timed<T>(kind: TimedWork, work: () => T): T;
  /** {@link timed} for what takes time to arrive. */
  timedLater<T>(kind: TimedWork, work: () => Promise<T>): Promise<T>;
  /** Durations so far by kind, in milliseconds. */
  elapsedMs(): JsonObject;
}
