// Columns and paragraphs of 80 columns. Text comes here already safe to show.

/** Columns that a terminal is taken to have. */
export const PAGE_COLUMNS = 80;

// East Asian wide and fullwidth ranges (Unicode UAX #11), and emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NARROWLESS = /\p{Mn}|\p{Me}/u;

/** Columns that a text takes on a terminal. */
export function columns(text: string): number {
  let width = 0;
  for (const character of text) {
    width += NARROWLESS.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Text filled up with spaces, at its right or, for numbers, at its left. */
export function padded(
  text: string,
  width: number,
  side: "left" | "right" = "right",
): string {
  const space = " ".repeat(Math.max(0, width - columns(text)));
  return side === "right" ? text + space : space + text;
}

/** Text cut to a width, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const character of text) {
    used += columns(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Lines of at most a width, broken at spaces, or inside a word too long. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/(?<= )/)) {
      if (line !== "" && columns(line + word.trimEnd()) > width) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += word;
      while (columns(line.trimEnd()) > width) {
        const head = cut(line, width + 1).slice(0, -1);
        lines.push(head);
        line = line.slice(head.length);
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}
