// Strings of Python, which are refused in the end: adjacent literals are one,
// and a formatted string (PEP 701) holds expressions of its own.
//
// CPython 3.13 refuses three kinds of string that are read here, so that their
// code is `expression_forbidden_node` instead of `expression_syntax`: unknown
// names in `\N{...}`; a raw literal with a broken escape in a field that shows
// its own text, as in `f'{r"\x"=}'`; and two adjoining braces after a field in a
// format, as in `f'{x:{y}{{z}}}'`.

import type { Parser } from "./parser.ts";
import { Refusal } from "./refusal.ts";
import { foreign, type PythonExpression } from "./syntax_tree.ts";

/** Reads one or more adjacent string literals. */
export function parseStrings(parser: Parser): PythonExpression {
  const offset = parser.offset;
  const pieces = new Pieces();
  let literals = 0;
  let bytesLiterals = 0;
  let formatted = false;
  for (;;) {
    const { kind, text, offset: start } = parser.next;
    if (kind === "string") {
      parser.take();
      const { prefix, content } = splitLiteral(text);
      if (prefix.includes("b")) bytesLiterals++;
      if (!prefix.includes("r")) {
        checkEscapes(content, prefix === "b", start);
      }
      if (content !== "") pieces.addText();
    } else if (kind === "formatted_start") {
      formatted = true;
      parseFormatted(parser, pieces);
    } else break;
    literals++;
    if (bytesLiterals > 0 && bytesLiterals < literals) {
      throw new Refusal(
        "expression_syntax",
        "Bytes and text literals stand side by side",
        start,
      );
    }
  }
  if (formatted) return foreign("formatted_string", offset, 1, pieces.nodes());
  return foreign(bytesLiterals > 0 ? "bytes" : "string", offset, 1);
}

/**
 * What a formatted string consists of: fields, and text between them. Adjacent
 * text is one constant, and empty text is none.
 */
class Pieces {
  readonly #nodes: PythonExpression[] = [];
  #hasText = false;

  addText(): void {
    this.#hasText = true;
  }

  addField(offset: number, children: readonly PythonExpression[]): void {
    this.#endText();
    this.#nodes.push(foreign("format_field", offset, 1, children));
  }

  nodes(): readonly PythonExpression[] {
    this.#endText();
    return this.#nodes;
  }

  #endText(): void {
    if (this.#hasText) this.#nodes.push(foreign("string", 0, 1));
    this.#hasText = false;
  }
}

function parseFormatted(parser: Parser, pieces: Pieces): void {
  const isRaw = /r/i.test(parser.take().text);
  while (!parser.isNext("formatted_end")) {
    parsePiece(parser, pieces, isRaw, 1);
  }
  parser.take();
}

function parsePiece(
  parser: Parser,
  pieces: Pieces,
  isRaw: boolean,
  fieldLevel: number,
): void {
  const { kind, text, offset } = parser.next;
  if (kind === "formatted_text") {
    parser.take();
    if (!isRaw) checkEscapes(text, false, offset);
    return pieces.addText();
  }
  if (kind !== "field_open") parser.refuse();
  if (fieldLevel > MAX_FIELD_LEVELS) parser.refuse("no deeper field");
  parser.take();
  parseField(parser, pieces, isRaw, fieldLevel, offset);
}

function parseField(
  parser: Parser,
  pieces: Pieces,
  isRaw: boolean,
  fieldLevel: number,
  offset: number,
): void {
  const children = [
    parser.at("yield") ? parser.yieldExpression() : parser.starExpressions(),
  ];
  if (parser.accept("=")) pieces.addText();
  if (parser.at("!")) {
    const { offset: mark } = parser.take();
    const { text, offset: start } = parser.next;
    if (start !== mark + 1 || !/^[sra]$/.test(text)) {
      parser.refuse('a conversion "s", "r" or "a"');
    }
    parser.expectName();
  }
  if (parser.isNext("field_format")) {
    const { offset: start } = parser.take();
    const format = new Pieces();
    while (!parser.isNext("field_close")) {
      parsePiece(parser, format, isRaw, fieldLevel + 1);
    }
    children.push(foreign("formatted_string", start + 1, 1, format.nodes()));
  }
  if (!parser.isNext("field_close")) parser.refuse('"}"');
  parser.take();
  pieces.addField(offset, children);
}

/** A field, a field in its format, and one in that one's: as CPython limits. */
const MAX_FIELD_LEVELS = 3;

function splitLiteral(text: string): { prefix: string; content: string } {
  const quoteAt = text.search(/["']/);
  const delimiter = /^("""|'''|["'])/.exec(text.slice(quoteAt))![0].length;
  return {
    prefix: text.slice(0, quoteAt).toLowerCase(),
    content: text.slice(quoteAt + delimiter, -delimiter),
  };
}

/** Refuses the escapes that Python does; unknown ones stand for themselves. */
function checkEscapes(content: string, isBytes: boolean, offset: number): void {
  const escapes = content.matchAll(isBytes ? BYTES_ESCAPE : TEXT_ESCAPE);
  for (const [escape] of escapes) {
    if (isBytes ? escape !== "\\x" : !BROKEN_ESCAPE.test(escape)) continue;
    throw new Refusal(
      "expression_syntax",
      `A string holds the broken escape ${escape}`,
      offset,
    );
  }
}

const BYTES_ESCAPE = /\\(?:x[0-9A-Fa-f]{2}|[^])/g;
const TEXT_ESCAPE =
  /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}|N\{[^}]+\}|[^])/g;
const BROKEN_ESCAPE = /^\\[xuUN]$/;
