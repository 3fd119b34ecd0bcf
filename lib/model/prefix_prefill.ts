// Prefill in blocks of a fixed number of tokens, aligned to the start of the
// sequence. A block's keys and values then depend on the tokens up to its end
// alone, never on what came after or on how much of it was known already, so
// that a block of an earlier call can be used again without a bit of
// difference.

import type { KeyValueCache } from "./key_value_cache.ts";
import type { Network } from "./network.ts";

/** Tokens of a block; chosen by measurement, see the README. */
export const BLOCK_TOKENS = 128;

/** What of a prompt is in the cache once {@link PrefixPrefill.prepare} ends. */
export interface Prepared {
  /** Taken over from the call before, in tokens. */
  readonly reused: number;
  /** Computed now, in tokens. */
  readonly computed: number;
}

/** Brings a prompt's whole blocks into a cache. */
export class PrefixPrefill {
  /** Ids of the whole blocks that the cache holds. */
  #known: readonly number[] = [];

  constructor(
    readonly network: Network,
    readonly cache: KeyValueCache,
    /** Tokens of a block. */
    readonly blockTokens: number = BLOCK_TOKENS,
  ) {}

  /**
   * Leaves the prompt's whole blocks in the cache, and nothing else; at least
   * the prompt's last token stays to be run.
   *
   * @param progress Told how many tokens of the prompt are in the cache, and
   *   how many of them were computed now.
   */
  async prepare(
    ids: readonly number[],
    progress: (tokens: number, computed: number) => void = () => {},
  ): Promise<Prepared> {
    const wanted = wholeBlocks(ids.length - 1, this.blockTokens);
    const reused = reusableTokens(this.#known, ids, this.blockTokens);
    this.cache.truncate(reused);
    this.#known = ids.slice(0, reused);
    progress(reused, 0);
    for (let begin = reused; begin < wanted; begin += this.blockTokens) {
      const block = ids.slice(begin, begin + this.blockTokens);
      await this.network.forward(block, this.cache, 0);
      const end = begin + this.blockTokens;
      this.#known = ids.slice(0, end);
      progress(end, end - reused);
    }
    return { reused, computed: wanted - reused };
  }

  /** Forgets everything: the next prompt is computed from its first token. */
  forget(): void {
    this.#known = [];
  }
}

/** A prompt's whole blocks: what stays in the cache after its call. */
export function keptIds(
  ids: readonly number[],
  blockTokens: number = BLOCK_TOKENS,
): readonly number[] {
  return ids.slice(0, wholeBlocks(ids.length - 1, blockTokens));
}

/**
 * Tokens of a prompt whose keys and values need no computing.
 *
 * @param known Ids of the whole blocks in the cache.
 */
export function reusableTokens(
  known: readonly number[],
  ids: readonly number[],
  blockTokens: number = BLOCK_TOKENS,
): number {
  const most = Math.min(ids.length - 1, commonPrefix(known, ids));
  return wholeBlocks(most, blockTokens);
}

function wholeBlocks(tokens: number, blockTokens: number): number {
  return tokens - tokens % blockTokens;
}

function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  for (let index = 0; index < most; index++) {
    if (a[index] !== b[index]) return index;
  }
  return most;
}
