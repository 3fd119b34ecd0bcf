// A body, whichever way its end is found. Reads never ask the connection for
// more than the caller may take, so that no payload arrives unaccounted for.

import type { BodyFraming } from "./http_head.ts";
import { TransportFault } from "./transport_fault.ts";

/** Bytes from a connection, after its head. */
export interface ByteStream {
  /**
   * Reads at least one byte.
   *
   * @returns Bytes read, or null at the end.
   */
  read(into: Uint8Array): Promise<number | null>;
}

/** A response's payload. */
export interface Body {
  /**
   * Reads at least one byte of payload.
   *
   * @returns Bytes read, or null after the last one.
   * @throws {TransportFault} `ended` where the connection ended before the
   *   announced end, `protocol`, or what the connection throws.
   */
  read(into: Uint8Array): Promise<number | null>;
  /** Payload bytes that were announced and not read; null if unknown. */
  left(): number | null;
}

/** Makes the body that a head announced. */
export function responseBody(framing: BodyFraming, from: ByteStream): Body {
  switch (framing.kind) {
    case "length":
      return lengthBody(framing.bytes, from);
    case "chunked":
      return chunkedBody(from);
    case "until_close":
      return { read: (into) => from.read(into), left: () => null };
  }
}

function lengthBody(bytes: number, from: ByteStream): Body {
  let left = bytes;
  return {
    left: () => left,
    read: async (into) => {
      if (left === 0) return null;
      const count = await from.read(
        into.subarray(0, Math.min(left, into.length)),
      );
      if (count === null) throw cutOff();
      left -= count;
      return count;
    },
  };
}

/** Longest line between chunks, in bytes; extensions are never that long. */
const MAX_LINE_BYTES = 256;

/**
 * Most bytes between and after the chunks, beyond eight for each byte of payload:
 * they are no payload, so that no account counts them.
 */
const MAX_FRAMING_BYTES = 16 * 1024;

function chunkedBody(from: ByteStream): Body {
  let left = 0;
  let payload = 0;
  let framing = 0;
  let state: "first" | "inside" | "done" = "first";
  const byte = new Uint8Array(1);
  const line = async (): Promise<string> => {
    let text = "";
    for (;;) {
      if (++framing > MAX_FRAMING_BYTES + 8 * payload) throw malformed();
      if (await from.read(byte) === null) throw cutOff();
      text += String.fromCharCode(byte[0]!);
      if (text.endsWith("\r\n")) return text.slice(0, -2);
      if (text.length > MAX_LINE_BYTES) throw malformed();
    }
  };
  const nextChunk = async (): Promise<void> => {
    if (state === "inside" && await line() !== "") throw malformed();
    const size = /^([0-9A-Fa-f]{1,12})[ \t]*(;.*)?$/.exec(await line());
    if (size === null) throw malformed();
    left = parseInt(size[1]!, 16);
    state = "inside";
    if (left > 0) return;
    // Trailer fields say nothing that is used here.
    while (await line() !== "");
    state = "done";
  };
  return {
    left: () => state === "done" ? 0 : null,
    read: async (into) => {
      if (state !== "done" && left === 0) await nextChunk();
      if (state === "done") return null;
      const count = await from.read(
        into.subarray(0, Math.min(left, into.length)),
      );
      if (count === null) throw cutOff();
      left -= count;
      payload += count;
      return count;
    },
  };
}

function cutOff(): TransportFault {
  return new TransportFault(
    "ended",
    "the connection ended before the file did",
  );
}

function malformed(): TransportFault {
  return new TransportFault(
    "protocol",
    "the server's answer is unusable: its chunks are malformed",
  );
}
