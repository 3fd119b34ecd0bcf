// Lab Parts 3 and 4: the source is two function definitions around two
// expressions, and the harness writes that wrapper itself. Reading goes the
// same way back: bytes are a source only if the wrapper written around the two
// expressions found in them is those bytes. So signatures, decorators,
// annotations, further statements and line ends need no rule of their own.

import {
  admitExpression,
  type AdmittedExpression,
} from "./admit_expression.ts";
import type { SourceExpressions } from "./evaluate_cases.ts";
import { FUNCTION_PARAMETERS, type FunctionName } from "./function_names.ts";
import { MAX_SOURCE_BYTES } from "./limits.ts";

/** What {@link readSource} decides. */
export type SourceReading =
  | { readonly ok: true; readonly expressions: SourceExpressions }
  | RefusedSource;

/** Why bytes are no source. */
export interface RefusedSource {
  readonly ok: false;
  readonly code: "source_invalid";
  /** One sentence of at most 256 ASCII bytes. */
  readonly message: string;
  /** Where the bytes leave the wrapper, from the start. */
  readonly offset: number;
}

/**
 * The text of `toy_math.py` around two expressions; with the lab's initial
 * ones, the exact file of Part 3.
 *
 * @param expressions What each function returns, in the source's notation.
 */
export function generateSource(
  expressions: Readonly<Record<FunctionName, string>>,
): string {
  return [
    opening("clamp"),
    expressions.clamp,
    `\n\n${opening("total")}`,
    expressions.total,
    "\n",
  ].join("");
}

/** Reads the two expressions out of a source, or refuses the bytes. */
export function readSource(bytes: Uint8Array): SourceReading {
  if (bytes.length > MAX_SOURCE_BYTES) {
    return refuse(
      `The source has ${bytes.length} bytes; ` +
        `at most ${MAX_SOURCE_BYTES} are allowed`,
      MAX_SOURCE_BYTES,
    );
  }
  try {
    return { ok: true, expressions: new Reader(latin1(bytes)).read() };
  } catch (thrown) {
    if (thrown instanceof Misfit) return thrown.refusal;
    throw thrown;
  }
}

function opening(functionName: FunctionName): string {
  const parameters = FUNCTION_PARAMETERS[functionName].join(", ");
  return `def ${functionName}(${parameters}):\n    return `;
}

/** The first place where bytes leave the wrapper. */
class Misfit {
  readonly refusal: RefusedSource;

  constructor(message: string, offset: number) {
    this.refusal = refuse(message, offset);
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): SourceExpressions {
    this.#refuseOtherLineEnds();
    this.#expect(opening("clamp"));
    const clamp = this.#expression("clamp");
    this.#expect(`\n\n${opening("total")}`);
    const total = this.#expression("total");
    this.#expect("\n");
    const written = generateSource({ clamp: clamp.text, total: total.text });
    if (this.#text !== written) {
      throw new Misfit("The source goes on after its last line", this.#at);
    }
    return { clamp, total };
  }

  #refuseOtherLineEnds(): void {
    if (this.#text.startsWith(BYTE_ORDER_MARK)) {
      throw new Misfit("The source begins with a byte order mark", 0);
    }
    const carriageReturn = this.#text.indexOf("\r");
    if (carriageReturn !== -1) {
      throw new Misfit(
        `The source has a carriage return at byte ${carriageReturn}; ` +
          "its lines end with a line feed alone",
        carriageReturn,
      );
    }
  }

  /** Consumes what the wrapper has here. */
  #expect(wanted: string): void {
    for (const character of wanted) {
      if (this.#text[this.#at] !== character) {
        throw new Misfit(
          `The source differs from the two fixed functions at byte ${this.#at}: ` +
            `expected ${shown(character)}, found ${
              shown(this.#text[this.#at])
            }`,
          this.#at,
        );
      }
      this.#at++;
    }
  }

  /** Consumes the rest of the line, which must be an admitted expression. */
  #expression(functionName: FunctionName): AdmittedExpression {
    const start = this.#at;
    const lineFeed = this.#text.indexOf("\n", start);
    this.#at = lineFeed === -1 ? this.#text.length : lineFeed;
    const admission = admitExpression(
      functionName,
      this.#text.slice(start, this.#at),
    );
    if (admission.ok) return admission.expression;
    const { code, message, offset = 0 } = admission;
    throw new Misfit(
      `The expression of "${functionName}" is refused (${code}): ${message}`,
      start + offset,
    );
  }
}

function refuse(message: string, offset: number): RefusedSource {
  return { ok: false, code: "source_invalid", message, offset };
}

function shown(character: string | undefined): string {
  if (character === undefined) return "the end";
  if (/^[ -~]$/.test(character)) return `'${character}'`;
  const code = character.charCodeAt(0).toString(16).padStart(2, "0");
  return character === "\n" ? "a line feed" : `the byte 0x${code}`;
}

/** One character a byte, so that offsets in the text are offsets in bytes. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const BYTE_ORDER_MARK = "\xef\xbb\xbf";
