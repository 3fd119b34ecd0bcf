// What the fuzzing of one parser consists of. A target knows its inputs and
// says what must hold of each answer; the loop knows how to go on.

import type { Random } from "../../tests/expression_generator.ts";

/** One parser under fuzzing. */
export interface FuzzTarget {
  /** Also the folder of its seeds, `fixtures/fuzz/NAME`. */
  readonly name: string;
  /** Most bytes of an input; a longer one is cut. */
  readonly maxBytes: number;
  /** What the parser's language is made of; mutation puts it in. */
  readonly words: readonly string[];
  /** Writes an input by the language's grammar, with a fault now and then. */
  readonly generate: (random: Random) => Uint8Array;
  /** Changes an input in a way that only this language knows. */
  readonly mutate?: (input: Uint8Array, random: Random) => Uint8Array;
  /**
   * Has the parser answer, and holds the answer against every rule.
   *
   * @returns The kind of answer, such as an error code: another kind is worth
   *   keeping the input for.
   * @throws Whatever, where a rule is broken: that is a finding.
   */
  readonly judge: (input: Uint8Array) => string | Promise<string>;
  /** Removes what the target made on the disk. */
  readonly end?: () => void;
}

/** An input's text, and nothing of it lost where it is UTF-8. */
export function textOf(input: Uint8Array): string {
  return LENIENT.decode(input);
}

/** A text's bytes in UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return UTF8.encode(text);
}

/** A text whose characters are bytes, as bytes. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });
const UTF8 = new TextEncoder();
