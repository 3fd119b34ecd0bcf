// Strings of strict JSON (RFC 8259 section 7) over UTF-8 bytes. Between the
// quotes everything is data: a backtick, a bracket or a "<think>" means nothing.

/** A string's text and the offset after its closing quote, or its fault. */
export type ScannedString =
  | { readonly text: string; readonly at: number }
  | { readonly text?: never; readonly message: string; readonly at: number };

/**
 * Reads the string whose opening quote is at `quoteAt`.
 *
 * @param quoteAt Offset of the opening quote, in bytes.
 * @returns The unescaped text, always well-formed Unicode, or the first fault.
 */
export function scanString(bytes: Uint8Array, quoteAt: number): ScannedString {
  const end = bytes.length;
  let text = "";
  let at = quoteAt + 1;
  let runStart = at;
  let runIsAscii = true;
  while (at < end) {
    const byte = bytes[at]!;
    if (PLAIN[byte] === 1) {
      at++;
    } else if (byte === QUOTE) {
      text += runText(bytes, runStart, at, runIsAscii);
      return { text, at: at + 1 };
    } else if (byte === BACKSLASH) {
      text += runText(bytes, runStart, at, runIsAscii);
      const escape = scanEscape(bytes, at);
      if (escape.text === undefined) return escape;
      text += escape.text;
      at = escape.at;
      runStart = at;
      runIsAscii = true;
    } else if (byte < 0x20) {
      return { message: rawControl(byte, at), at };
    } else {
      const length = utf8Length(bytes, at);
      if (length === 0) {
        return { message: notUtf8(bytes, at), at };
      }
      at += length;
      runIsAscii = false;
    }
  }
  return cutOff(bytes);
}

/**
 * Length of the UTF-8 character at `at`, in bytes, by the table of well-formed
 * sequences in the Unicode Standard (section 3.9).
 *
 * @returns 1 to 4; 0 where the bytes are no UTF-8: overlong forms, encoded
 *   surrogates, anything over U+10FFFF, and a character cut off by the end.
 */
export function utf8Length(bytes: Uint8Array, at: number): 0 | 1 | 2 | 3 | 4 {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xe0) return isContinuation(second) ? 2 : 0;
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  if (!isContinuation(bytes[at + 2] ?? 0)) return 0;
  if (lead < 0xf0) return 3;
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

function notUtf8(bytes: Uint8Array, at: number): string {
  const byte = bytes[at]!.toString(16).toUpperCase();
  return `Byte 0x${byte} at byte ${at}: the text is not UTF-8`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** 1 for the ASCII characters that a string holds as they are. */
const PLAIN = Uint8Array.from(
  { length: 256 },
  (_, byte) =>
    byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

const SIMPLE_ESCAPES: ReadonlyMap<number, string> = new Map([
  [QUOTE, '"'],
  [BACKSLASH, "\\"],
  [0x2f, "/"],
  [0x62, "\b"],
  [0x66, "\f"],
  [0x6e, "\n"],
  [0x72, "\r"],
  [0x74, "\t"],
]);

// A byte order mark inside a string is data; the decoder would drop it.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Longest ASCII run built by hand, in bytes; then a decoder costs less. */
const SHORT_RUN = 64;

function runText(
  bytes: Uint8Array,
  start: number,
  end: number,
  isAscii: boolean,
): string {
  return isAscii
    ? asciiText(bytes, start, end)
    : UTF8.decode(bytes.subarray(start, end));
}

/**
 * ASCII bytes as text, in steps of several characters.
 *
 * @param start Offset of the first byte.
 * @param end Offset after the last one.
 */
export function asciiText(
  bytes: Uint8Array,
  start: number,
  end: number,
): string {
  if (end - start > SHORT_RUN) return UTF8.decode(bytes.subarray(start, end));
  let text = "";
  let at = start;
  for (; at + 4 <= end; at += 4) {
    text += String.fromCharCode(
      bytes[at]!,
      bytes[at + 1]!,
      bytes[at + 2]!,
      bytes[at + 3]!,
    );
  }
  if (at + 2 <= end) {
    text += String.fromCharCode(bytes[at]!, bytes[at + 1]!);
    at += 2;
  }
  return at < end ? text + String.fromCharCode(bytes[at]!) : text;
}

function scanEscape(bytes: Uint8Array, at: number): ScannedString {
  const letter = bytes[at + 1];
  if (letter === undefined) {
    return cutOff(bytes);
  }
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { text: simple, at: at + 2 };
  if (letter !== LOWER_U) {
    const shown = letter > 0x20 && letter < 0x7f
      ? ` \\${String.fromCharCode(letter)}`
      : "";
    return {
      message: `Unknown escape${shown} at byte ${at}: JSON has ` +
        '\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits',
      at,
    };
  }
  return scanUnicodeEscape(bytes, at);
}

function scanUnicodeEscape(bytes: Uint8Array, at: number): ScannedString {
  const unit = hexUnit(bytes, at);
  if (unit === undefined) return faultyUnicodeEscape(bytes, at);
  if (unit < 0xd800 || unit > 0xdfff) {
    return { text: String.fromCharCode(unit), at: at + 6 };
  }
  const low = unit < 0xdc00 ? hexUnit(bytes, at + 6) : undefined;
  if (low !== undefined && low >= 0xdc00 && low <= 0xdfff) {
    return { text: String.fromCharCode(unit, low), at: at + 12 };
  }
  const shown = unit.toString(16);
  return {
    message: `Lone surrogate \\u${shown} at byte ${at}: it stands for no ` +
      "character, and no UTF-8 text can hold it",
    at,
  };
}

/** The 16 bits of a whole `\uXXXX` at `at`, or undefined if it is none. */
function hexUnit(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return undefined;
  let unit = 0;
  for (let offset = at + 2; offset < at + 6; offset++) {
    const digit = hexDigit(bytes[offset]);
    if (digit === undefined) return undefined;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

function faultyUnicodeEscape(bytes: Uint8Array, at: number): ScannedString {
  let offset = at + 2;
  while (offset < at + 6 && hexDigit(bytes[offset]) !== undefined) offset++;
  if (offset >= bytes.length) return cutOff(bytes);
  return {
    message:
      `Unfinished escape at byte ${at}: \\u needs four hexadecimal digits`,
    at,
  };
}

function rawControl(byte: number, at: number): string {
  const [name, escape] = CONTROLS.get(byte) ??
    ["control character", `\\u${byte.toString(16).padStart(4, "0")}`];
  return `Raw ${name} in a string at byte ${at}: write it as ${escape}`;
}

const CONTROLS: ReadonlyMap<number, readonly [name: string, escape: string]> =
  new Map([
    [0x00, ["NUL", "\\u0000"]],
    [0x08, ["backspace", "\\b"]],
    [0x09, ["tab", "\\t"]],
    [0x0a, ["line feed", "\\n"]],
    [0x0c, ["form feed", "\\f"]],
    [0x0d, ["carriage return", "\\r"]],
  ]);

function cutOff(bytes: Uint8Array): ScannedString {
  return {
    message: `Cut off: the text ends at byte ${bytes.length} inside a string`,
    at: bytes.length,
  };
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}
