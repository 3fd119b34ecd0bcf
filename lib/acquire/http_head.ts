// RFC 9112, the part of it that a download needs, read strictly: whatever could
// mean two things to two readers is a fault instead of a guess.

import { TransportFault } from "./transport_fault.ts";

/** Most bytes of a status line and its header fields. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** How a body's end is found. */
export type BodyFraming =
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "until_close" };

/** A response's status line and header fields. */
export interface ResponseHead {
  readonly status: number;
  /** A field's only value; null where it is absent. */
  field(name: string): string | null;
  readonly framing: BodyFraming;
}

/** Where a head ends in `bytes`, after its empty line; -1 if it isn't there. */
export function headEnd(bytes: Uint8Array, from = 0): number {
  for (let at = Math.max(3, from); at < bytes.length; at++) {
    if (
      bytes[at] === LF && bytes[at - 1] === CR && bytes[at - 2] === LF &&
      bytes[at - 3] === CR
    ) return at + 1;
  }
  return -1;
}

/**
 * Reads a complete head, its empty line included.
 *
 * @throws {TransportFault} `protocol`.
 */
export function parseHead(bytes: Uint8Array): ResponseHead {
  const text = LATIN1.decode(bytes);
  const [statusLine, ...lines] = text.slice(0, -4).split("\r\n");
  const status = /^HTTP\/1\.[01] ([1-5][0-9]{2})( [^\r\n\0]*)?$/.exec(
    statusLine!,
  );
  if (status === null) throw protocol("its first line is no HTTP/1.1 status");
  const fields = parseFields(lines);
  const code = Number(status[1]);
  const field = (name: string): string | null => onlyValue(fields, name);
  return { status: code, field, framing: bodyFraming(code, field) };
}

const CR = 0x0d;
const LF = 0x0a;
// Header fields are bytes; Latin-1 keeps each of them apart.
const LATIN1 = new TextDecoder("latin1");

function parseFields(lines: readonly string[]): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/s.exec(
      line,
    );
    // deno-lint-ignore no-control-regex -- exactly what a value must not hold.
    if (match === null || /[\x00-\x08\x0a-\x1f\x7f]/.test(match[2]!)) {
      throw protocol("it has a malformed header field");
    }
    const name = match[1]!.toLowerCase();
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [match[2]!]);
    else values.push(match[2]!);
  }
  return fields;
}

function onlyValue(
  fields: ReadonlyMap<string, readonly string[]>,
  name: string,
): string | null {
  const values = fields.get(name.toLowerCase());
  if (values === undefined) return null;
  if (values.some((value) => value !== values[0])) {
    throw protocol(`it has two different fields "${name}"`);
  }
  return values[0]!;
}

function bodyFraming(
  status: number,
  field: (name: string) => string | null,
): BodyFraming {
  const encoding = field("transfer-encoding");
  const length = field("content-length");
  if (status < 200 || status === 204 || status === 304) {
    return { kind: "length", bytes: 0 };
  }
  if (encoding !== null) {
    if (length !== null) {
      throw protocol("it has both a length and a transfer encoding");
    }
    if (encoding.toLowerCase() !== "chunked") {
      throw protocol("it uses a transfer encoding other than chunked");
    }
    return { kind: "chunked" };
  }
  if (length === null) return { kind: "until_close" };
  if (!/^[0-9]{1,15}$/.test(length)) throw protocol("its length is no number");
  return { kind: "length", bytes: Number(length) };
}

function protocol(why: string): TransportFault {
  return new TransportFault(
    "protocol",
    `the server's answer is unusable: ${why}`,
  );
}
