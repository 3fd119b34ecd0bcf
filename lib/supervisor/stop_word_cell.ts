// Why a run must stop is one word in shared memory. The first value wins, on
// whichever thread it is written, so that no two parts of the record disagree.

import type { StopWord } from "../agent/gate.ts";

const WORDS = ["cancelled", "call_expired", "run_expired"] as const;

/** The shared word, as one thread holds it. */
export class StopWordCell {
  /** What to hand to another thread. */
  readonly buffer: SharedArrayBuffer;
  readonly #word: Int32Array;

  constructor(
    buffer: SharedArrayBuffer = new SharedArrayBuffer(
      Int32Array.BYTES_PER_ELEMENT,
    ),
  ) {
    this.buffer = buffer;
    this.#word = new Int32Array(buffer);
  }

  /** The word, or null while there is none. */
  get(): StopWord | null {
    return WORDS[Atomics.load(this.#word, 0) - 1] ?? null;
  }

  /** Writes the word unless there is one, and returns the one that counts. */
  set(word: StopWord): StopWord {
    Atomics.compareExchange(this.#word, 0, 0, WORDS.indexOf(word) + 1);
    return this.get() ?? word;
  }
}
