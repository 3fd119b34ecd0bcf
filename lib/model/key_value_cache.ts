// What attention remembers of the tokens so far. Each head's keys and values
// are one array of full length, so that a call reads all earlier tokens without
// a copy and only its own few are added.

import type { ModelConfig } from "./model_config.ts";
import type { KeyOrValue } from "./graph_values.ts";

/** Keys and values of up to `capacity` tokens. */
export class KeyValueCache {
  readonly #heads: Record<KeyOrValue, readonly (readonly Float32Array[])[]>;
  readonly #headSize: number;
  #length = 0;

  constructor(
    config: ModelConfig,
    /** Most tokens. */
    readonly capacity: number,
  ) {
    this.#headSize = config.headSize;
    const empty = () =>
      Array.from(
        { length: config.layers },
        () =>
          Array.from(
            { length: config.keyValueHeads },
            () => new Float32Array(capacity * config.headSize),
          ),
      );
    this.#heads = { key: empty(), value: empty() };
  }

  /** Tokens that are remembered. */
  get length(): number {
    return this.#length;
  }

  /** Forgets all tokens from position `length` on. */
  truncate(length: number): void {
    if (length > this.#length) {
      throw new RangeError(
        `Cannot keep ${length} tokens: only ${this.#length} are remembered`,
      );
    }
    this.#length = length;
  }

  /** Keys or values of one head, [length, head size], not copied. */
  past(kind: KeyOrValue, layer: number, head: number): Float32Array {
    return this.#heads[kind][layer]![head]!.subarray(
      0,
      this.#length * this.#headSize,
    );
  }

  /**
   * Adds the tokens of one call.
   *
   * @param count How many, in tokens.
   * @param added Gives a layer's new keys or values, [heads, count, head size].
   */
  append(
    count: number,
    added: (kind: KeyOrValue, layer: number) => Float32Array,
  ): void {
    if (this.#length + count > this.capacity) {
      throw new RangeError(
        `Cannot remember ${
          this.#length + count
        } tokens: the most is ${this.capacity}`,
      );
    }
    const size = count * this.#headSize;
    for (const kind of ["key", "value"] as const) {
      this.#heads[kind].forEach((heads, layer) => {
        const rows = added(kind, layer);
        heads.forEach((stored, head) =>
          stored.set(
            rows.subarray(head * size, (head + 1) * size),
            this.#length * this.#headSize,
          )
        );
      });
    }
    this.#length += count;
  }
}
