// Nothing from the environment takes part in a transfer. A
// TLS connection opened here knows no proxy, cookie, token or cache, asks
// exactly what it is told to, and can be closed at any moment. One connection
// carries one request.

import { type Body, type ByteStream, responseBody } from "./http_body.ts";
import {
  headEnd,
  MAX_HEAD_BYTES,
  parseHead,
  type ResponseHead,
} from "./http_head.ts";
import type { TransferWatch } from "./transfer_watch.ts";
import { TransportFault } from "./transport_fault.ts";

/** An answer whose body hasn't been read. */
export interface HttpsResponse {
  readonly head: ResponseHead;
  readonly body: Body;
}

/** A connection to one host, for one request. */
export class HttpsConnection {
  readonly #tls: Deno.TlsConn;
  readonly #watch: TransferWatch;
  readonly #host: string;
  #closed = false;

  private constructor(tls: Deno.TlsConn, host: string, watch: TransferWatch) {
    this.#tls = tls;
    this.#host = host;
    this.#watch = watch;
  }

  /**
   * Connects to port 443 of a host and checks its certificate.
   *
   * @throws {TransportFault} `unreachable`, `certificate`, or the watch's.
   */
  static async open(
    host: string,
    watch: TransferWatch,
  ): Promise<HttpsConnection> {
    const abort = new AbortController();
    // The resolver and the handshake don't listen to the signal.
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener("abort", () => reject(abort.signal.reason));
    });
    aborted.catch(() => {});
    const connecting = connect(host, abort.signal);
    try {
      const tls = await watch.guard(
        () => abort.abort(),
        () => Promise.race([connecting, aborted]),
      );
      return new HttpsConnection(tls, host, watch);
    } catch (error) {
      connecting.then((late) => late.close(), () => {});
      if (error instanceof TransportFault) throw error;
      throw connectionFault(host, error);
    }
  }

  /**
   * Sends a GET request and reads the answer's head.
   *
   * @param target Path and query.
   * @param fields Header fields besides host, connection and encoding.
   * @throws {TransportFault}
   */
  async get(
    target: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<HttpsResponse> {
    const lines = Object.entries({
      "Host": this.#host,
      "Connection": "close",
      "Accept": "*/*",
      "Accept-Encoding": "identity",
      "User-Agent": "tinycoder",
      ...fields,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    await this.#write(
      new TextEncoder().encode(
        `GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`,
      ),
    );
    let early: Uint8Array = new Uint8Array(0);
    for (let interim = 0; interim <= MAX_INTERIM; interim++) {
      const { head, rest } = await this.#readHead(early);
      if (head.status >= 200) {
        return { head, body: responseBody(head.framing, this.#after(rest)) };
      }
      early = rest;
    }
    throw new TransportFault(
      "protocol",
      "the server's answer is unusable: it stays provisional",
    );
  }

  /** Ends the connection; what the server still sends is refused. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#tls.close();
  }

  async #readHead(
    early: Uint8Array,
  ): Promise<{ head: ResponseHead; rest: Uint8Array }> {
    const buffer = new Uint8Array(MAX_HEAD_BYTES);
    buffer.set(early);
    let length = early.length;
    let end = headEnd(buffer.subarray(0, length));
    while (end < 0) {
      if (length === buffer.length) {
        throw new TransportFault(
          "protocol",
          "the server's answer is unusable: its header is too long",
        );
      }
      const count = await this.#read(buffer.subarray(length));
      if (count === null) {
        throw new TransportFault(
          "ended",
          "the connection ended before an answer",
        );
      }
      const from = length;
      length += count;
      end = headEnd(buffer.subarray(0, length), from);
    }
    return {
      head: parseHead(buffer.subarray(0, end)),
      rest: buffer.slice(end, length),
    };
  }

  /** The connection's bytes, beginning with those that came with the head. */
  #after(rest: Uint8Array): ByteStream {
    return {
      read: (into) => {
        if (rest.length === 0) return this.#read(into);
        const count = Math.min(rest.length, into.length);
        into.set(rest.subarray(0, count));
        rest = rest.subarray(count);
        return Promise.resolve(count);
      },
    };
  }

  async #read(into: Uint8Array): Promise<number | null> {
    try {
      return await this.#watch.guard(
        () => this.close(),
        () => this.#tls.read(into),
      );
    } catch (error) {
      throw readFault(error);
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#watch.guard(() => this.close(), async () => {
        for (let sent = 0; sent < bytes.length;) {
          sent += await this.#tls.write(bytes.subarray(sent));
        }
      });
    } catch (error) {
      throw readFault(error);
    }
  }
}

/** Provisional answers (1xx) that are skipped before the real one. */
const MAX_INTERIM = 4;

async function connect(
  host: string,
  signal: AbortSignal,
): Promise<Deno.TlsConn> {
  const tcp = await Deno.connect({ hostname: host, port: 443, signal });
  tcp.setNoDelay(true);
  const tls = await Deno.startTls(tcp, {
    hostname: host,
    alpnProtocols: ["http/1.1"],
  });
  try {
    await tls.handshake();
    return tls;
  } catch (error) {
    tls.close();
    throw error;
  }
}

function connectionFault(host: string, error: unknown): TransportFault {
  const text = error instanceof Error ? error.message.split("\n")[0]! : "";
  return /certificate|UnknownIssuer/i.test(text)
    ? new TransportFault(
      "certificate",
      `the certificate of ${host} is not trusted (${text.slice(0, 160)})`,
      { cause: error },
    )
    : new TransportFault(
      "unreachable",
      `${host} cannot be reached (${text.slice(0, 160)})`,
      { cause: error },
    );
}

/** Only TLS's own ending says that nothing was lost on the way. */
function readFault(error: unknown): TransportFault {
  if (error instanceof TransportFault) return error;
  return new TransportFault("reset", "the connection broke", { cause: error });
}
