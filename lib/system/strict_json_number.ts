// Numbers of strict JSON (RFC 8259 section 6), kept as they were written.

import type { Place } from "./strict_json_fault.ts";
import { asciiText } from "./strict_json_string.ts";
import { JsonNumber } from "./strict_json_tree.ts";

/** A number and the offset after it, or where its syntax breaks off. */
export type ScannedNumber =
  | { readonly number: JsonNumber; readonly at: number }
  | { readonly number?: never; readonly missing: Place; readonly at: number };

/**
 * Reads the number that starts at `start`. What may follow it is not judged
 * here: that depends on what is open.
 *
 * @param start Offset of its minus sign or first digit, in bytes.
 */
export function scanNumber(bytes: Uint8Array, start: number): ScannedNumber {
  const integer = bytes[start] === MINUS ? start + 1 : start;
  let at = afterDigits(bytes, integer);
  if (at === integer) return { missing: "digit", at };
  if (bytes[integer] === ZERO && at > integer + 1) {
    return { missing: "leading_zero", at: start };
  }
  if (bytes[at] === DOT) {
    const fraction = at + 1;
    at = afterDigits(bytes, fraction);
    if (at === fraction) return { missing: "digit", at };
  }
  if (bytes[at] === LOWER_E || bytes[at] === UPPER_E) {
    const sign = bytes[at + 1];
    const exponent = sign === MINUS || sign === PLUS ? at + 2 : at + 1;
    at = afterDigits(bytes, exponent);
    if (at === exponent) return { missing: "digit", at };
  }
  return { number: new JsonNumber(asciiText(bytes, start, at)), at };
}

/** Whether a byte is an ASCII digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at++;
  return at;
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
