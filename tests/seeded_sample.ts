// Which cases of a sweep a quick test takes: the same ones every time.

/**
 * Different whole numbers from 1 to `most`, ascending.
 *
 * @param count How many; all of them where there are no more.
 */
export function seededSample(
  most: number,
  count: number,
  seed: number,
): number[] {
  let state = (seed >>> 0) || 1;
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, most)) {
    // A 32-bit xorshift.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    chosen.add(1 + (state >>> 0) % most);
  }
  return [...chosen].sort((a, b) => a - b);
}
