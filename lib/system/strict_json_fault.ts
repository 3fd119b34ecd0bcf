// A refused proposal is read by a small model and by a learner. Both fix what
// they are told, so a fault names the usual suspect, not just a column.

import { quoteSafely } from "./safe_text.ts";
import { utf8Length } from "./strict_json_string.ts";

/** What the scan was about to read when it met something else. */
export type Place =
  | "document"
  | "value"
  | "literal"
  | "digit"
  | "leading_zero"
  | "first_key"
  | "key"
  | "colon"
  | "after_item"
  | "after_member"
  | "end";

/** Where a syntax fault is, in bytes from the start, and the sentence for it. */
export interface SyntaxFault {
  readonly message: string;
  readonly offset: number;
}

/**
 * Says what is wrong at an offset outside strings.
 *
 * @param at Offset of the first byte that doesn't belong there.
 * @returns A message of at most 200 bytes without raw control characters.
 */
export function describeSyntaxFault(
  bytes: Uint8Array,
  at: number,
  place: Place,
): SyntaxFault {
  if (at >= bytes.length) {
    return { message: endOfText(bytes.length, place), offset: bytes.length };
  }
  const found = new Found(bytes, at, place);
  const suspect = SUSPECTS.find(({ isIt }) => isIt(found));
  const message = suspect === undefined
    ? `Expected ${EXPECTED[place]} at byte ${at}, found ${found.shown()}`
    : `${suspect.what(found)} at byte ${at}: ${suspect.remedy}`;
  return { message, offset: at };
}

/** What stands at a fault, as far as the suspects ask for it. */
class Found {
  /** The next characters; what is no UTF-8 among them is replaced. */
  readonly ahead: string;

  constructor(
    readonly bytes: Uint8Array,
    readonly at: number,
    readonly place: Place,
  ) {
    this.ahead = LENIENT_UTF8.decode(bytes.subarray(at, at + 32));
  }

  is(...places: readonly Place[]): boolean {
    return places.includes(this.place);
  }

  /** The next character's code point. */
  codePoint(): number {
    return this.ahead.codePointAt(0)!;
  }

  /** The word that starts here; empty if none does. */
  word(): string {
    return /^-?[A-Za-z_][A-Za-z0-9_]*/.exec(this.ahead)?.[0] ?? "";
  }

  /** Whether the last byte before, spaces aside, is a comma. */
  followsComma(): boolean {
    let before = this.at - 1;
    while (isSpace(this.bytes[before])) before--;
    return this.bytes[before] === COMMA;
  }

  /** Whether an object or an array opens further on. */
  precedesJson(): boolean {
    return this.bytes.includes(OPEN_BRACE, this.at) ||
      this.bytes.includes(OPEN_BRACKET, this.at);
  }

  /** What stands here, fit to be read. */
  shown(): string {
    return quoteSafely(
      this.word() || String.fromCodePoint(this.codePoint()),
      32,
    );
  }
}

interface Suspect {
  readonly isIt: (found: Found) => boolean;
  readonly what: (found: Found) => string;
  readonly remedy: string;
}

/** In this order: the first that fits is named. */
const SUSPECTS: readonly Suspect[] = [
  {
    isIt: ({ bytes, at }) => utf8Length(bytes, at) === 0,
    what: ({ bytes, at }) => `Byte 0x${hex(bytes[at]!, 2)}`,
    remedy: "the text is not UTF-8",
  },
  {
    isIt: ({ ahead }) => ahead.startsWith("\ufeff"),
    what: () => "Byte order mark",
    remedy: "JSON stands without one",
  },
  {
    isIt: (found) => /^(?![\t\n\r])\p{Cc}/u.test(found.ahead),
    what: (found) => `Control character U+${hex(found.codePoint(), 4)}`,
    remedy: "outside strings only space, tab and line ends may stand",
  },
  {
    isIt: ({ ahead }) => /^(?! )[\p{Z}\u200b]/u.test(ahead),
    what: (found) => `Character U+${hex(found.codePoint(), 4)}`,
    remedy: "JSON knows no spaces but space, tab and line ends",
  },
  {
    isIt: ({ ahead }) => ahead.startsWith("`"),
    what: () => "Code fence",
    remedy: "send the JSON alone, without backticks around it",
  },
  {
    isIt: ({ ahead }) => /^<\/?think/i.test(ahead),
    what: () => `"<think>" text`,
    remedy: "send the JSON alone, without text before or after it",
  },
  {
    isIt: (found) =>
      found.is("document") && found.word() !== "" && found.precedesJson(),
    what: () => "Text before the JSON",
    remedy: "send the JSON alone, with nothing before or after it",
  },
  {
    isIt: ({ ahead }) => /^['\u2018-\u201f]/.test(ahead),
    what: ({ ahead }) => ahead.startsWith("'") ? "Single quote" : "Curly quote",
    remedy: 'JSON has only the double quote ", U+0022',
  },
  {
    isIt: ({ ahead }) => /^(?:\/[/*]|#)/.test(ahead),
    what: () => "Comment",
    remedy: "JSON has none",
  },
  {
    isIt: ({ ahead }) => ahead.startsWith("\\"),
    what: () => "Backslash outside a string",
    remedy: "escapes stand only between double quotes",
  },
  {
    isIt: (found) => /^(?:-?inf(?:inity)?|nan)$/i.test(found.word()),
    what: (found) => found.shown(),
    remedy: "JSON numbers are finite",
  },
  {
    isIt: (found) => /^(?:true|false|null|none|undefined)$/i.test(found.word()),
    what: (found) => found.shown(),
    remedy: "JSON writes true, false and null",
  },
  {
    isIt: (found) => /^[\]}]/.test(found.ahead) && found.followsComma(),
    what: () => "Trailing comma before the bracket",
    remedy: "leave it out",
  },
  {
    isIt: (found) => found.is("leading_zero"),
    what: () => "Number with a leading zero",
    remedy: "write it without",
  },
  {
    isIt: (found) =>
      found.is("value", "document") && /^[+.][0-9.]/.test(found.ahead),
    what: () => "Number without a leading digit",
    remedy: "JSON numbers start with a digit or a minus sign",
  },
  {
    isIt: (found) => found.is("key", "first_key") && found.word() !== "",
    what: (found) => `Key ${found.shown()} without quotes`,
    remedy: "keys stand in double quotes",
  },
  {
    isIt: (found) => found.is("end") && /^[{["]/.test(found.ahead),
    what: () => "Second value",
    remedy: "send exactly one",
  },
  {
    isIt: (found) => found.is("end"),
    what: () => "Text after the JSON",
    remedy: "send the JSON alone, with nothing before or after it",
  },
  {
    isIt: (found) => found.is("document") && found.precedesJson(),
    what: () => "Text before the JSON",
    remedy: "send the JSON alone, with nothing before or after it",
  },
];

const EXPECTED: { readonly [place in Place]: string } = {
  document: "one JSON value",
  value: "a value",
  literal: "true, false or null",
  digit: "a digit",
  leading_zero: "a number",
  first_key: 'a key in double quotes or "}"',
  key: "a key in double quotes",
  colon: '":" after the key',
  after_item: '"," or "]"',
  after_member: '"," or "}"',
  end: "the end",
};

function endOfText(length: number, place: Place): string {
  return place === "document"
    ? "No JSON: the text is empty or only spaces"
    : `Cut off: the text ends at byte ${length} before the JSON is complete`;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

const LENIENT_UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
