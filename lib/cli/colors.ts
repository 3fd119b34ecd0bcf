// SGR colours (ECMA-48), only where a terminal takes them.

/** Paints text, or leaves it as it is. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

/** A paint for a stream that takes colours, or for one that doesn't. */
export function paint(color: boolean): Paint {
  const sgr = (code: number) => (text: string) =>
    color ? `\x1b[${code}m${text}\x1b[0m` : text;
  return { good: sgr(32), bad: sgr(31), dim: sgr(2), strong: sgr(1) };
}
