// What a sweep counts: how often each outcome came, printed the same way by all
// of them.

/** How often each outcome came. */
export class Outcomes {
  readonly #times = new Map<string, number>();

  /** Counts one more of an outcome. */
  add(outcome: string): void {
    this.#times.set(outcome, this.times(outcome) + 1);
  }

  /** How often one outcome came. */
  times(outcome: string): number {
    return this.#times.get(outcome) ?? 0;
  }

  /** How often any outcome came whose name begins like this. */
  timesOf(beginning: string): number {
    let sum = 0;
    for (const [outcome, times] of this.#times) {
      if (outcome.startsWith(beginning)) sum += times;
    }
    return sum;
  }

  /** How many there are in all. */
  get total(): number {
    return this.timesOf("");
  }

  /** The counts by name, for JSON. */
  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#sorted());
  }

  /** One line each, in the order of their names. */
  toString(): string {
    return this.#sorted()
      .map(([outcome, times]) => `${String(times).padStart(6)}  ${outcome}\n`)
      .join("");
  }

  #sorted(): [outcome: string, times: number][] {
    return [...this.#times].sort(([a], [b]) => a < b ? -1 : 1);
  }
}
