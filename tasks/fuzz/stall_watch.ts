// A parser that never answers can't be asked why. A thread beside it looks at
// the number of inputs, and prints the input that is being judged where that
// number stands still.

/** Most bytes of an input that is kept for the watch. */
const KEPT_BYTES = 64 * 1_024;
/** Numbers before the input: how many there were, how long this one is. */
const HEAD_BYTES = 8;

/** The memory that both threads see. */
export class StallWatch {
  readonly #head: Int32Array;
  readonly #input: Uint8Array;
  readonly #worker: Worker;

  /** Begins to watch. */
  constructor() {
    const shared = new SharedArrayBuffer(HEAD_BYTES + KEPT_BYTES);
    this.#head = new Int32Array(shared, 0, 2);
    this.#input = new Uint8Array(shared, HEAD_BYTES);
    this.#worker = new Worker(
      new URL("stall_worker.ts", import.meta.url).href,
      { type: "module" },
    );
    this.#worker.postMessage(shared);
  }

  /** Says which input is judged from now on. */
  tell(input: Uint8Array): void {
    const kept = input.subarray(0, KEPT_BYTES);
    this.#input.set(kept);
    Atomics.store(this.#head, 1, kept.length);
    Atomics.add(this.#head, 0, 1);
  }

  /** Ends the watch. */
  end(): void {
    this.#worker.terminate();
  }
}
