// Atoms of Python: what an expression is made of in the end.

import {
  parseBraces,
  parseList,
  parseParenthesised,
} from "./parse_brackets.ts";
import { parseStrings } from "./parse_strings.ts";
import type { Parser } from "./parser.ts";
import { foreign, type Name, type PythonExpression } from "./syntax_tree.ts";

/** Reads a name, a literal, or anything in brackets. */
export function parseAtom(parser: Parser): PythonExpression {
  const { kind, text, offset } = parser.next;
  switch (kind) {
    case "name":
      return parseName(parser);
    case "integer":
      parser.take();
      return { kind: "constant", offset, value: Number(text) };
    case "float":
      parser.take();
      return foreign("float", offset, 1);
    case "string":
    case "formatted_start":
      return parseStrings(parser);
    case "symbol":
      return parseSymbol(parser, text, offset);
    case "formatted_text":
    case "formatted_end":
    case "field_open":
    case "field_format":
    case "field_close":
    case "end":
      return parser.refuse();
  }
}

/** Reads a name. */
export function parseName(parser: Parser): Name {
  const { text, offset } = parser.expectName();
  return { kind: "name", offset, name: text };
}

function parseSymbol(
  parser: Parser,
  symbol: string,
  offset: number,
): PythonExpression {
  switch (symbol) {
    case "(":
      return parseParenthesised(parser);
    case "[":
      return parseList(parser);
    case "{":
      return parseBraces(parser);
    case "True":
    case "False":
      parser.take();
      return foreign("boolean_constant", offset, 1);
    case "None":
      parser.take();
      return foreign("none", offset, 1);
    case "...":
      parser.take();
      return foreign("ellipsis", offset, 1);
    default:
      return parser.refuse();
  }
}
