// Lab Part 10: verification, loading, prefill and decode each have their time.

/** Durations by name, in milliseconds. */
export class Stopwatch {
  readonly #laps = new Map<string, number>();
  #since = performance.now();

  /** Ends what was going on and counts it among what is called `name`. */
  lap(name: string): void {
    this.#laps.set(name, this.of(name) + Math.round(this.sinceLap()));
    this.#since = performance.now();
  }

  /** Duration of what is going on. */
  sinceLap(): number {
    return performance.now() - this.#since;
  }

  /** Duration of what was called `name`; 0 if nothing was. */
  of(name: string): number {
    return this.#laps.get(name) ?? 0;
  }

  /** All durations so far. */
  all(): Record<string, number> {
    return Object.fromEntries(this.#laps);
  }
}
