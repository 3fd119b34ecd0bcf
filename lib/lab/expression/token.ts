// The words of the notation.

import { quoted } from "./refusal.ts";

/** What a token is; operators, brackets and keywords are all symbols. */
export type TokenKind =
  | "symbol"
  | "name"
  | "integer"
  | "float"
  | "string"
  | "formatted_start"
  | "formatted_text"
  | "field_open"
  | "field_format"
  | "field_close"
  | "formatted_end"
  | "end";

/** A token with its text as written. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it begins, in bytes from the start. */
  readonly offset: number;
}

/** Python 3.13's keywords; its soft keywords are names in an expression. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  ("False None True and as assert async await break class continue def del " +
    "elif else except finally for from global if import in is lambda " +
    "nonlocal not or pass raise return try while with yield").split(" "),
);

/** Says what is wrong with a character that begins no token of Python. */
export function describeNonPython(character: string): string {
  switch (character) {
    case "#":
      return "A comment is not allowed";
    case "\\":
      return "A line continuation is not allowed";
    case "?":
      return '"?" is not Python; write "a if b else c"';
    default:
      return `${quoted(character)} is not Python`;
  }
}
