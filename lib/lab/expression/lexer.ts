// Lab Part 4: numeric-token form and lexical nesting are checked before
// parsing, over the whole text, and the leftmost fault decides. Spaces are the
// only whitespace, between tokens only.
//
// Stricter than Python's tokenizer: an integer is `[0-9]{1,7}`, without leading
// zero unless all of it is zeros, and no name character follows a number, so
// `0x10`, `1e5`, `1_000`, `1j` and `1if` have no token form. A float such as
// `1.5` has one, since a refusal that names it helps more than a syntax error.

import { MAX_INTEGER_DIGITS, MAX_PARENTHESIS_NESTING } from "./limits.ts";
import { quoted, Refusal } from "./refusal.ts";
import {
  describeNonPython,
  KEYWORDS,
  type Token,
  type TokenKind,
} from "./token.ts";

/**
 * Splits an expression into tokens, the last of kind `end`. A formatted string
 * becomes its start, its text and fields, and its end; a doubled brace in it is
 * text.
 *
 * @param text Printable ASCII, one line, at least one character.
 * @throws {Refusal} `expression_syntax` or `expression_limit`, whichever fault
 *   is leftmost.
 */
export function lexExpression(text: string): readonly Token[] {
  return new Lexer(text).run();
}

class Lexer {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #openParentheses = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): readonly Token[] {
    if (this.#text.startsWith(" ")) throw syntax("Leading space", 0);
    const end = this.#text.length;
    while (this.#at < end) {
      this.#token();
      const afterToken = this.#at;
      this.#skipSpaces();
      if (this.#at === end && afterToken < end) {
        throw syntax("Trailing space", afterToken);
      }
    }
    this.#tokens.push({ kind: "end", text: "", offset: end });
    return this.#tokens;
  }

  #token(): void {
    const start = this.#at;
    const code = this.#text.charCodeAt(start);
    if (isDigit(code) || code === DOT && isDigit(this.#codeAt(start + 1))) {
      return this.#number();
    }
    if (isNameCharacter(code)) return this.#word();
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      return this.#string(start);
    }
    OPERATOR.lastIndex = start;
    const operator = OPERATOR.exec(this.#text)?.[0];
    if (operator === undefined) {
      throw syntax(describeNonPython(this.#text[start]!), start);
    }
    if (operator === "(" && ++this.#openParentheses > MAX_PARENTHESIS_NESTING) {
      throw new Refusal(
        "expression_limit",
        `More than ${MAX_PARENTHESIS_NESTING} parentheses are open at once`,
        start,
      );
    }
    if (operator === ")" && this.#openParentheses > 0) this.#openParentheses--;
    this.#at += operator.length;
    this.#push("symbol", start);
  }

  #number(): void {
    const start = this.#at;
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(this.#text)![0];
    this.#at += number.length;
    if (isNameCharacter(this.#codeAt(this.#at))) {
      throw syntax(
        `${
          quoted(`${number}${this.#text[this.#at]}`)
        } starts no decimal integer; ` +
          "write plain digits, and a space before a word",
        start,
      );
    }
    if (number.includes(".")) return this.#push("float", start);
    if (LEADING_ZERO.test(number)) {
      throw syntax(`${quoted(number)} has a leading zero`, start);
    }
    if (number.length > MAX_INTEGER_DIGITS) {
      throw new Refusal(
        "expression_limit",
        `An integer of ${number.length} digits; ` +
          `at most ${MAX_INTEGER_DIGITS} are allowed`,
        start,
      );
    }
    this.#push("integer", start);
  }

  #word(): void {
    const start = this.#at;
    while (isNameCharacter(this.#codeAt(this.#at))) this.#at++;
    const next = this.#codeAt(this.#at);
    const word = this.#text.slice(start, this.#at);
    if (
      (next === DOUBLE_QUOTE || next === SINGLE_QUOTE) &&
      STRING_PREFIX.test(word)
    ) {
      return this.#string(start);
    }
    this.#push(KEYWORDS.has(word) ? "symbol" : "name", start);
  }

  /** Reads the string whose prefix began at `start` and whose quote is next. */
  #string(start: number): void {
    const prefix = this.#text.slice(start, this.#at).toLowerCase();
    const quote = this.#text[this.#at]!;
    const triple = quote.repeat(3);
    const delimiter = this.#text.startsWith(triple, this.#at) ? triple : quote;
    this.#at += delimiter.length;
    if (prefix.includes("f")) {
      this.#push("formatted_start", start);
      this.#formattedBody({ start, delimiter, raw: prefix !== "f" }, false);
      const end = this.#at;
      this.#at += delimiter.length;
      return this.#push("formatted_end", end);
    }
    while (!this.#text.startsWith(delimiter, this.#at)) {
      this.#at += this.#codeAt(this.#at) === BACKSLASH ? 2 : 1;
      if (this.#at >= this.#text.length) throw unterminated(start);
    }
    this.#at += delimiter.length;
    this.#push("string", start);
  }

  /**
   * Reads text and fields up to the delimiter or, where the body is a field's
   * format, up to the field's closing brace; neither of them is consumed.
   */
  #formattedBody(string: FormattedString, isFormat: boolean): void {
    let textStart = this.#at;
    const endText = (): void => {
      if (this.#at > textStart) this.#push("formatted_text", textStart);
    };
    for (;;) {
      const code = this.#codeAt(this.#at);
      if (Number.isNaN(code)) throw unterminated(string.start);
      if (this.#text.startsWith(string.delimiter, this.#at)) {
        if (isFormat) throw unterminated(string.start);
        return endText();
      }
      if (code === CLOSE_BRACE && isFormat) return endText();
      if (code === BACKSLASH) {
        this.#skipEscape(string.raw);
      } else if (code !== OPEN_BRACE && code !== CLOSE_BRACE) {
        this.#at++;
      } else if (!isFormat && this.#codeAt(this.#at + 1) === code) {
        this.#at++;
        endText();
        this.#at++;
        textStart = this.#at;
      } else {
        endText();
        if (code === OPEN_BRACE) this.#field(string);
        else this.#pushCharacter("field_close");
        textStart = this.#at;
      }
    }
  }

  /** An escape hides the next character, but never a brace. */
  #skipEscape(raw: boolean): void {
    const start = this.#at;
    const escaped = this.#codeAt(start + 1);
    this.#at += escaped === OPEN_BRACE || escaped === CLOSE_BRACE ? 1 : 2;
    if (raw || !this.#text.startsWith("N{", start + 1)) return;
    const nameEnd = this.#text.indexOf("}", start);
    this.#at = nameEnd === -1 ? this.#text.length : nameEnd + 1;
  }

  #field(string: FormattedString): void {
    this.#pushCharacter("field_open");
    let openBrackets = 0;
    for (;;) {
      this.#skipSpaces();
      const code = this.#codeAt(this.#at);
      if (Number.isNaN(code)) throw unterminated(string.start);
      if (openBrackets === 0 && code === COLON) {
        this.#pushCharacter("field_format");
        this.#formattedBody(string, true);
        return this.#pushCharacter("field_close");
      }
      if (openBrackets === 0 && code === CLOSE_BRACE) {
        return this.#pushCharacter("field_close");
      }
      const character = this.#text[this.#at]!;
      if ("([{".includes(character)) openBrackets++;
      else if (")]}".includes(character) && openBrackets > 0) openBrackets--;
      this.#token();
    }
  }

  #skipSpaces(): void {
    while (this.#codeAt(this.#at) === SPACE) this.#at++;
  }

  #pushCharacter(kind: TokenKind): void {
    this.#at++;
    this.#push(kind, this.#at - 1);
  }

  #push(kind: TokenKind, start: number): void {
    const text = this.#text.slice(start, this.#at);
    this.#tokens.push({ kind, text, offset: start });
  }

  /** NaN after the end. */
  #codeAt(at: number): number {
    return this.#text.charCodeAt(at);
  }
}

interface FormattedString {
  readonly start: number;
  readonly delimiter: string;
  readonly raw: boolean;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNameCharacter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a || code === 0x5f ||
    code >= 0x41 && code <= 0x5a || isDigit(code);
}

function syntax(message: string, offset: number): Refusal {
  return new Refusal("expression_syntax", message, offset);
}

function unterminated(offset: number): Refusal {
  return syntax("A string is not terminated", offset);
}

const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const DOT = 0x2e;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const NUMBER = /[0-9]+\.?[0-9]*|\.[0-9]+/y;
const LEADING_ZERO = /^0+[1-9]/;
const STRING_PREFIX = /^(?:[rbuf]|rb|br|rf|fr)$/i;
const OPERATOR = /\.\.\.|\*\*|\/\/|<<|>>|[<>=!:]=|[-+*/%@&|^~<>=!()[\]{},.:;]/y;
