// What a person types when asked; a byte at a time, so that nothing beyond the line
// is taken from whoever reads next.

/** Most bytes of a typed line. */
const MAX_LINE_BYTES = 4_096;

/** One line from the terminal; null at its end, or if it is too long. */
export function typedLine(): string | null {
  const bytes: number[] = [];
  const byte = new Uint8Array(1);
  while (bytes.length < MAX_LINE_BYTES) {
    if (Deno.stdin.readSync(byte) === null) {
      return bytes.length === 0 ? null : text(bytes);
    }
    if (byte[0] === 0x0a) return text(bytes);
    bytes.push(byte[0]!);
  }
  return null;
}

function text(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
