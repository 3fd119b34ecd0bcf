// Random numbers for the sweeps: a seed repeats them.

/** Evenly spread numbers from a seed (mulberry32). */
export class RandomNumbers {
  #state: number;

  /** @param seed Any whole number; equal seeds give equal numbers. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Whether something of this probability, from 0 to 1, happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws {RangeError} if there is nothing to pick from. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("There is nothing to pick");
    return items[this.below(items.length)] as T;
  }
}
