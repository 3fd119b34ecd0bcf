// Lines of a byte stream in bounded memory. A line over the bound is reported
// once, by its length alone, and skipped.

const NEWLINE = 0x0a;

/** A line without its line feed, or the fact that one was too long. */
export type Line =
  | { readonly bytes: Uint8Array }
  | { readonly tooLong: true };

/**
 * The lines of a stream. What follows the last line feed is a line too, unless
 * it is empty.
 *
 * @param maxBytes Most bytes of one line.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line, void> {
  let rest: Uint8Array[] = [];
  let length = 0;
  const line = (last: Uint8Array): Line => {
    const whole = length + last.length;
    const pieces = rest;
    const before = length;
    rest = [];
    length = 0;
    if (whole > maxBytes) return { tooLong: true };
    if (before === 0) return { bytes: last };
    const bytes = new Uint8Array(whole);
    let at = 0;
    for (const piece of [...pieces, last]) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { bytes };
  };
  for await (const chunk of stream) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      yield line(chunk.subarray(start, end));
      start = end + 1;
    }
    const last = chunk.subarray(start);
    length += last.length;
    if (length <= maxBytes) rest.push(last.slice());
    else rest = [];
  }
  if (length > 0) yield line(new Uint8Array());
}
