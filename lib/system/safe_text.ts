// What a model, a file or a user's program said may hold characters that move
// the cursor, recolour or relink what follows, reverse the reading order, or
// can't be seen at all. Records keep such text exactly; what a person is shown
// has every such character spelled out.

/**
 * Text for a terminal or a message, each character that could be invisible or
 * change how its neighbours look replaced by `\u{…}` (code point in
 * hexadecimal): C0 and C1 controls, bidirectional and other format characters,
 * zero-width characters, variation selectors, fillers, spaces other than
 * U+0020, line and paragraph separators, private-use and unassigned code
 * points, and lone surrogates.
 *
 * For reading only: a backslash stays itself, so text that spells an escape
 * looks like one. {@link quoteSafely} is unambiguous.
 *
 * @param options.newlines Whether line feeds and tabs stay as they are.
 */
export function showSafely(
  text: string,
  options: { readonly newlines?: boolean } = {},
): string {
  return text.replace(
    UNSAFE,
    (character) =>
      options.newlines === true && (character === "\n" || character === "\t")
        ? character
        : spelledOut(character),
  );
}

/**
 * JSON text that a terminal can show: the same value, each character that
 * {@link showSafely} spells out written as JSON's own escape.
 *
 * @param text JSON whose only unescaped controls are the line feeds between its
 *   tokens, as `JSON.stringify` writes it.
 */
export function showJsonSafely(text: string): string {
  return text.replace(
    UNSAFE,
    (character) => character === "\n" ? character : escaped(character),
  );
}

/**
 * Text in double quotes for a message, on one line, `"` and `\` escaped too.
 *
 * @param maxBytes Most UTF-8 bytes of the result, at least 5; text that
 *   doesn't fit is cut between characters and ends in `…` before the quote.
 */
export function quoteSafely(text: string, maxBytes: number): string {
  const pieces: string[] = [];
  let bytes = QUOTES;
  for (const character of text) {
    const piece = character === '"' || character === "\\"
      ? `\\${character}`
      : showSafely(character);
    pieces.push(piece);
    bytes += utf8Bytes(piece);
    if (bytes > maxBytes) break;
  }
  if (bytes <= maxBytes) return `"${pieces.join("")}"`;
  while (pieces.length > 0 && bytes + ELLIPSIS > maxBytes) {
    bytes -= utf8Bytes(pieces.pop()!);
  }
  return `"${pieces.join("")}…"`;
}

/** UTF-8 bytes of the two quotes, and of `…`. */
const QUOTES = 2;
const ELLIPSIS = 3;

// \p{C}: controls, formats, surrogates, private use, unassigned. Default
// ignorable adds fillers, joiners and variation selectors, which are letters or
// marks by category; U+2800 is a Braille pattern without a dot.
const UNSAFE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;

function spelledOut(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** An escape for each UTF-16 unit, as JSON has them. */
function escaped(character: string): string {
  return character.split("").map((unit) =>
    `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  ).join("");
}

function utf8Bytes(text: string): number {
  return UTF8.encode(text).length;
}

const UTF8 = new TextEncoder();
