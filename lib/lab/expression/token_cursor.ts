// The parser's place in the tokens.

import type { Token, TokenKind } from "./token.ts";
import { quoted, Refusal } from "./refusal.ts";

/** Reads tokens one after the other, with one or two tokens' lookahead. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** @param tokens Tokens, the last one of kind `end`. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The next token, not consumed. */
  get next(): Token {
    return this.#tokens[this.#at]!;
  }

  /** The token after {@link next}; undefined after the last. */
  get second(): Token | undefined {
    return this.#tokens[this.#at + 1];
  }

  /** Where the next token begins. */
  get offset(): number {
    return this.next.offset;
  }

  /** Whether the next token is of this kind. */
  isNext(kind: TokenKind): boolean {
    return this.next.kind === kind;
  }

  /** Whether the next token is this operator, bracket or keyword. */
  at(symbol: string): boolean {
    const { kind, text } = this.next;
    return kind === "symbol" && text === symbol;
  }

  /** Whether the token after the next is this operator or keyword. */
  atSecond(symbol: string): boolean {
    return this.second?.kind === "symbol" && this.second.text === symbol;
  }

  /** Consumes the next token. */
  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.#at++;
    return token;
  }

  /** Consumes the next token if it is this symbol. */
  accept(symbol: string): boolean {
    const found = this.at(symbol);
    if (found) this.#at++;
    return found;
  }

  /** Consumes this symbol, or refuses. */
  expect(symbol: string): void {
    if (!this.accept(symbol)) this.refuse(quoted(symbol));
  }

  /** Consumes a name, or refuses. */
  expectName(): Token {
    if (this.next.kind !== "name") this.refuse("a name");
    return this.take();
  }

  /**
   * Refuses the next token.
   *
   * @param wanted What could stand here instead, if that is one thing.
   */
  refuse(wanted?: string): never {
    const { text, offset } = this.next;
    const ended = this.isNext("end");
    const found = ended ? "the end" : quoted(text);
    throw new Refusal(
      "expression_syntax",
      wanted !== undefined
        ? `Expected ${wanted}, found ${found}`
        : ended
        ? "The expression ends too early"
        : `Unexpected ${found}`,
      offset,
    );
  }
}
