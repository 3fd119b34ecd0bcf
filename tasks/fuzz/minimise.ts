// A finding is read by a person, so it is cut down first: pieces are left out
// while it stays the same finding, then what is left is made plain.

/**
 * The shortest input that was found to be wrong in the same way.
 *
 * @param isWrong Whether an input still is.
 * @param tries Most inputs to try.
 */
export async function minimise(
  input: Uint8Array,
  isWrong: (input: Uint8Array) => Promise<boolean>,
  tries = 4_000,
): Promise<Uint8Array> {
  let least = input;
  let left = tries;
  const attempt = async (candidate: Uint8Array): Promise<boolean> => {
    if (left-- <= 0 || !await isWrong(candidate)) return false;
    least = candidate;
    return true;
  };
  for (let size = least.length >> 1; size > 0 && left > 0; size >>= 1) {
    for (let at = 0; at < least.length && left > 0;) {
      if (!await attempt(without(least, at, size))) at += size;
    }
  }
  // A last round byte by byte: an early one may go only after a later one.
  for (let at = least.length - 1; at >= 0 && left > 0; at--) {
    await attempt(without(least, at, 1));
  }
  for (let at = 0; at < least.length && left > 0; at++) {
    const plain = PLAIN.find((byte) => byte === least[at]);
    if (plain === undefined) {
      for (const byte of PLAIN) {
        if (await attempt(least.with(at, byte))) break;
      }
    }
  }
  return least;
}

/** What stands for any byte: `a`, `0`, a space. */
const PLAIN = [0x61, 0x30, 0x20];

function without(bytes: Uint8Array, at: number, count: number): Uint8Array {
  return Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + count));
}
