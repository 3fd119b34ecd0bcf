// Lab Part 5: one UTF-8 JSON value, nesting checked before deeper traversal,
// duplicate keys refused. One scan over the bytes, left to right, decides all
// of it; no other parser has seen the bytes before, and the first failure from
// the left decides the code.
//
// Stricter than `JSON.parse` in four ways, each because the value would
// otherwise mean two things to two readers: a duplicate key, a byte order mark,
// nesting over the caller's limit, and a lone surrogate escape such as
// `"\ud800"`. RFC 8259's grammar has the last one, but no UTF-8 text can hold
// it: written down again it becomes U+FFFD, and a record of it would no longer
// be what was offered. So every string that leaves here has exactly one UTF-8
// form, and every value an RFC 8785 form.

import { quoteSafely } from "./safe_text.ts";
import { describeSyntaxFault, type Place } from "./strict_json_fault.ts";
import { isDigit, scanNumber } from "./strict_json_number.ts";
import { scanString } from "./strict_json_string.ts";
import { JsonNumber, type JsonTree } from "./strict_json_tree.ts";

export { exactNumber, type PlainJson, toPlainJson } from "./plain_json.ts";
export * from "./strict_json_tree.ts";

/** Why bytes were refused. */
export type JsonFaultCode =
  | "invalid_json"
  | "json_nesting_limit"
  | "duplicate_key";

/** What {@link scanJson} made of the bytes. */
export type JsonScan =
  | { readonly ok: true; readonly value: JsonTree }
  | {
    readonly ok: false;
    readonly error: JsonFaultCode;
    /** At most 200 bytes; names the offset; no control character is copied. */
    readonly message: string;
    /** Where, in bytes from the start. */
    readonly offset: number;
  };

/** Most bytes that {@link scanJson} takes; a `Map` could overflow beyond. */
export const MAX_JSON_BYTES = 2 ** 27;

/**
 * Reads exactly one JSON value, without recursion.
 *
 * @param bytes The whole text; JSON whitespace may surround the value.
 * @param limits.maxDepth Most arrays and objects open at once; the scan ends
 *   the moment that one more opens.
 * @returns The value, or the first fault from the left.
 * @throws {RangeError} If there are more than {@link MAX_JSON_BYTES} bytes:
 *   callers bound what they read.
 */
export function scanJson(
  bytes: Uint8Array,
  limits: { readonly maxDepth: number },
): JsonScan {
  if (bytes.length > MAX_JSON_BYTES) {
    throw new RangeError(
      `Cannot scan ${bytes.length} bytes of JSON: the limit is ${MAX_JSON_BYTES}`,
    );
  }
  return new Scan(bytes, limits.maxDepth).run();
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

type OpenObject = Map<string, JsonTree>;
type OpenContainer = JsonTree[] | OpenObject;
type Fault = Extract<JsonScan, { ok: false }>;

class Scan {
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  #at = 0;
  #fault: Fault | undefined;
  /** The innermost open container, and the containers around it. */
  #open: OpenContainer | undefined;
  readonly #outer: OpenContainer[] = [];
  /** The key that waits for its value, if an object is innermost. */
  #key = "";
  /** The same of the containers in `#outer`. */
  readonly #outerKeys: string[] = [];

  constructor(bytes: Uint8Array, maxDepth: number) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
  }

  run(): JsonScan {
    this.#skipSpace();
    for (;;) {
      const byte = this.#bytes[this.#at];
      let value: JsonTree | undefined;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        value = this.#enter(byte === OPEN_BRACE ? new Map() : []);
      } else {
        value = this.#scalar(byte);
      }
      while (value !== undefined) {
        this.#skipSpace();
        if (this.#open === undefined) {
          if (this.#at === this.#bytes.length) return { ok: true, value };
          return this.#syntaxFault("end");
        }
        value = this.#place(this.#open, value);
      }
      if (this.#fault !== undefined) return this.#fault;
    }
  }

  /** Opens a container; returns it if it closes at once. */
  #enter(container: OpenContainer): OpenContainer | undefined {
    if (this.#depth() >= this.#maxDepth) {
      this.#fault = {
        ok: false,
        error: "json_nesting_limit",
        message: `Level ${this.#maxDepth + 1} of nesting opens at byte ` +
          `${this.#at}: at most ${this.#maxDepth} ` +
          (this.#maxDepth === 1 ? "level is allowed" : "levels are allowed"),
        offset: this.#at,
      };
      return undefined;
    }
    if (this.#open !== undefined) {
      this.#outer.push(this.#open);
      this.#outerKeys.push(this.#key);
    }
    this.#open = container;
    this.#at++;
    this.#skipSpace();
    if (this.#bytes[this.#at] === closing(container)) return this.#leave();
    if (!Array.isArray(container)) this.#readKey(container, "first_key");
    return undefined;
  }

  /** Puts a value into the innermost container; returns that if it closes. */
  #place(container: OpenContainer, value: JsonTree): JsonTree | undefined {
    if (Array.isArray(container)) container.push(value);
    else container.set(this.#key, value);
    const byte = this.#bytes[this.#at];
    if (byte === closing(container)) return this.#leave();
    if (byte !== COMMA) {
      this.#syntaxFault(
        Array.isArray(container) ? "after_item" : "after_member",
      );
      return undefined;
    }
    this.#at++;
    this.#skipSpace();
    if (!Array.isArray(container)) this.#readKey(container, "key");
    return undefined;
  }

  #leave(): OpenContainer | undefined {
    const closed = this.#open;
    this.#open = this.#outer.pop();
    this.#key = this.#outerKeys.pop() ?? "";
    this.#at++;
    return closed;
  }

  #readKey(object: OpenObject, place: Place): void {
    const start = this.#at;
    if (this.#bytes[start] !== QUOTE) {
      this.#syntaxFault(place);
      return;
    }
    const key = this.#string();
    if (key === undefined) return;
    if (object.has(key)) {
      this.#fault = {
        ok: false,
        error: "duplicate_key",
        message: `Duplicate key ${quoteSafely(key, 64)} at byte ${start}: ` +
          "each key may occur once in an object",
        offset: start,
      };
      return;
    }
    this.#skipSpace();
    if (this.#bytes[this.#at] !== COLON) {
      this.#syntaxFault("colon");
      return;
    }
    this.#key = key;
    this.#at++;
    this.#skipSpace();
  }

  #scalar(byte: number | undefined): JsonTree | undefined {
    switch (byte) {
      case QUOTE:
        return this.#string();
      case LOWER_T:
        return this.#literal(TRUE, true);
      case LOWER_F:
        return this.#literal(FALSE, false);
      case LOWER_N:
        return this.#literal(NULL, null);
      default:
        if (byte === MINUS || isDigit(byte)) return this.#number();
        this.#syntaxFault(this.#open === undefined ? "document" : "value");
        return undefined;
    }
  }

  #string(): string | undefined {
    const scanned = scanString(this.#bytes, this.#at);
    if (typeof scanned.text === "string") {
      this.#at = scanned.at;
      return scanned.text;
    }
    this.#fault = {
      ok: false,
      error: "invalid_json",
      message: scanned.message,
      offset: scanned.at,
    };
    return undefined;
  }

  #literal<T extends JsonTree>(word: Uint8Array, value: T): T | undefined {
    const start = this.#at;
    for (const byte of word) {
      if (this.#bytes[this.#at] !== byte) {
        if (this.#at < this.#bytes.length) this.#at = start;
        this.#syntaxFault("literal");
        return undefined;
      }
      this.#at++;
    }
    return value;
  }

  #number(): JsonNumber | undefined {
    const scanned = scanNumber(this.#bytes, this.#at);
    this.#at = scanned.at;
    if (scanned.number === undefined) this.#syntaxFault(scanned.missing);
    return scanned.number;
  }

  #depth(): number {
    return this.#open === undefined ? 0 : this.#outer.length + 1;
  }

  #skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        return;
      }
      this.#at++;
    }
  }

  #syntaxFault(place: Place): Fault {
    const { message, offset } = describeSyntaxFault(
      this.#bytes,
      this.#at,
      place,
    );
    return this.#fault = { ok: false, error: "invalid_json", message, offset };
  }
}

function closing(container: OpenContainer): number {
  return Array.isArray(container) ? CLOSE_BRACKET : CLOSE_BRACE;
}

const [TRUE, FALSE, NULL] = ["true", "false", "null"].map((word) =>
  new TextEncoder().encode(word)
) as [Uint8Array, Uint8Array, Uint8Array];
