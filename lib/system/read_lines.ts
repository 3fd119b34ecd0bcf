// Lines of a byte stream in bounded memory. A line over the bound is reported
// once, by its length alone, and skipped.

const NEWLINE = 0x0a;

/** A line without its line feed, or the fact that one was too long. */
export type Line =
  | { readonly bytes: Uint8Array }
  | { readonly tooLong: true };

/** What {@link readLines} may be told beside the stream. */
export interface LineReading {
  /** Most bytes of one line. */
  readonly maxBytes: number;
  /** Called whenever all lines that arrived so far were handed out. */
  readonly caughtUp?: () => void;
}

/**
 * The lines of a stream. What follows the last line feed is a line too, unless
 * it is empty. A line over the bound is told as soon as it is over it, whether
 * or not it ever ends.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { maxBytes, caughtUp }: LineReading,
): AsyncGenerator<Line, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let skipping = false;
  for await (const chunk of stream) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      start += piece.length + 1;
      length += piece.length;
      if (!skipping && length > maxBytes) {
        skipping = true;
        pieces = [];
        yield { tooLong: true };
      }
      if (!skipping) pieces.push(end === -1 ? piece.slice() : piece);
      if (end === -1) break;
      if (!skipping) yield { bytes: joined(pieces, length) };
      pieces = [];
      length = 0;
      skipping = false;
    }
    caughtUp?.();
  }
  if (length > 0 && !skipping) yield { bytes: joined(pieces, length) };
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
