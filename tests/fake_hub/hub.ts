// A server that impersonates the hub and its storage hosts, well-behaved unless
// it is told otherwise. It answers one request a connection, byte by byte as a
// test says, and counts what it sent.

import net from "node:net";
import type { Authority } from "./authority.ts";
import { gitBlobSha1, sha256, type TestCheckpoint } from "./checkpoint.ts";

/** One request, as the hub saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly host: string;
  readonly target: string;
  /** The file that it is about. */
  readonly name: string;
  /** Whether it asks the storage for content, after the hub's redirect. */
  readonly stage: "resolve" | "content";
  /** First byte asked for. */
  readonly fromByte: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** How a test answers one request. */
export type Behaviour = (
  request: SeenRequest,
  reply: Reply,
) => Promise<void> | void;

/** What a test may do with a connection. */
export class Reply {
  readonly #sent: { bytes: number };

  constructor(
    private readonly hub: FakeHub,
    private readonly connection: Deno.TlsConn,
    private readonly socket: net.Socket | undefined,
    private readonly request: SeenRequest,
  ) {
    this.#sent = hub.sent;
  }

  /** Sends a status line and fields, without a body. */
  async head(
    status: number,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const lines = Object.entries(fields).map(([name, value]) =>
      `${name}: ${value}\r\n`
    );
    await this.raw(
      new TextEncoder().encode(
        `HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`,
      ),
    );
  }

  /** Sends body bytes, and counts them. */
  async body(bytes: Uint8Array | string): Promise<void> {
    const all = typeof bytes === "string"
      ? new TextEncoder().encode(bytes)
      : bytes;
    for (let at = 0; at < all.length;) {
      const count = await this.connection.write(all.subarray(at));
      this.#sent.bytes += count;
      at += count;
    }
  }

  /** Sends anything, uncounted. */
  async raw(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      at += await this.connection.write(bytes.subarray(at));
    }
  }

  /** A whole answer. */
  async answer(
    status: number,
    fields: Readonly<Record<string, string>>,
    body: Uint8Array | string = "",
  ): Promise<void> {
    const length = typeof body === "string"
      ? new TextEncoder().encode(body).length
      : body.length;
    await this.head(status, { "Content-Length": String(length), ...fields });
    if (this.request.method !== "HEAD") await this.body(body);
  }

  /** What the well-behaved hub answers, with some fields changed. */
  async normal(fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.hub.normal(this.request, this, fields);
  }

  /** Ends the connection without TLS's own ending. */
  cut(): void {
    this.socket?.destroy();
  }

  /** Breaks the connection (RST). */
  reset(): void {
    this.socket?.resetAndDestroy();
  }

  /** Waits for the client to go away. */
  async stall(): Promise<void> {
    await this.connection.read(new Uint8Array(1)).catch(() => null);
  }
}

/** The hub and its storage, on port 443. */
export class FakeHub {
  /** Body bytes sent so far; an answer that outlives {@link forget} counts there. */
  sent = { bytes: 0 };
  /** Requests so far, oldest first. */
  readonly seen: SeenRequest[] = [];
  /** How to answer, where not normally. */
  behave: Behaviour = (_request, reply) => reply.normal();
  readonly #checkpoint: TestCheckpoint;
  readonly #storageHost: string;
  readonly #repository: { repository: string; revision: string };
  readonly #sockets = new Map<number, net.Socket>();
  readonly #ends: (() => void)[] = [];
  /** The hub's tag of each file: SHA-256 of large ones, else Git's blob id. */
  readonly #tags: ReadonlyMap<string, string>;

  private constructor(checkpoint: TestCheckpoint, storageHost: string) {
    this.#checkpoint = checkpoint;
    this.#storageHost = storageHost;
    this.#repository = checkpoint.declaration as never;
    this.#tags = new Map(
      [...checkpoint.contents].map(([name, bytes]) => [
        name,
        name.endsWith(".safetensors") ? sha256(bytes) : gitBlobSha1(bytes),
      ]),
    );
  }

  /**
   * Starts a hub.
   *
   * @param options.direct Whether clients reach it without the relay that can
   *   cut connections: faster.
   */
  static async start(
    authority: Authority,
    checkpoint: TestCheckpoint,
    options: { readonly direct?: boolean; readonly storageHost?: string } = {},
  ): Promise<FakeHub> {
    const hub = new FakeHub(
      checkpoint,
      options.storageHost ?? "us.aws.cdn.hf.co",
    );
    const listener = Deno.listenTls({
      hostname: "127.0.0.1",
      port: options.direct === true ? 443 : 0,
      cert: await Deno.readTextFile(authority.certificate),
      key: await Deno.readTextFile(authority.key),
    });
    hub.#ends.push(() => listener.close());
    hub.#accept(listener);
    if (options.direct !== true) await hub.#relay(listener.addr.port);
    return hub;
  }

  /** Forgets what was seen and how to misbehave. */
  forget(): void {
    this.sent = { bytes: 0 };
    this.seen.length = 0;
    this.behave = (_request, reply) => reply.normal();
  }

  /** Ends the hub. */
  stop(): void {
    for (const end of this.#ends) end();
  }

  /** Answers as the real hub does: redirects, then content. */
  async normal(
    request: SeenRequest,
    reply: Reply,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const bytes = this.#checkpoint.contents.get(request.name);
    if (bytes === undefined) {
      return await reply.answer(404, changed, "Entry not found");
    }
    const large = request.name.endsWith(".safetensors");
    const tag = this.#tags.get(request.name)!;
    if (request.stage === "resolve") {
      return await reply.answer(large ? 302 : 307, {
        "X-Repo-Commit": this.#repository.revision,
        "X-Linked-Size": String(bytes.length),
        "X-Linked-ETag": `"${tag}"`,
        "Location": large
          ? `https://${this.#storageHost}/content/${request.name}?signed=1`
          : `/content/${request.name}?etag=%22${tag}%22`,
        ...changed,
      }, "Redirecting");
    }
    const part = bytes.subarray(request.fromByte);
    await reply.answer(request.fromByte === 0 ? 200 : 206, {
      "Content-Type": "application/octet-stream",
      "Accept-Ranges": "bytes",
      ...(large ? {} : { "X-Repo-Commit": this.#repository.revision }),
      ...(request.fromByte === 0 ? {} : {
        "Content-Range": `bytes ${request.fromByte}-${bytes.length - 1}/` +
          bytes.length,
      }),
      ...changed,
    }, part);
  }

  async #accept(listener: Deno.TlsListener): Promise<void> {
    for (;;) {
      let connection: Deno.TlsConn;
      try {
        connection = await listener.accept();
      } catch (error) {
        if (error instanceof Deno.errors.BadResource) return;
        continue;
      }
      this.#serve(connection).catch(() => {}).finally(() => {
        try {
          connection.close();
        } catch {
          // The client closed it before.
        }
      });
    }
  }

  async #serve(connection: Deno.TlsConn): Promise<void> {
    let text = "";
    const buffer = new Uint8Array(16 * 1024);
    while (!text.includes("\r\n\r\n")) {
      const count = await connection.read(buffer);
      if (count === null) return;
      text += new TextDecoder().decode(buffer.subarray(0, count));
    }
    const request = this.#parse(text);
    this.seen.push(request);
    const socket = this.#sockets.get(connection.remoteAddr.port);
    await this.behave(
      request,
      new Reply(this, connection, socket, request),
    );
  }

  #parse(text: string): SeenRequest {
    const [line, ...rest] = text.split("\r\n");
    const [method, target] = line!.split(" ") as [string, string];
    const fields = new Map(
      rest.filter((field) => field !== "").map((field) => {
        const colon = field.indexOf(":");
        return [
          field.slice(0, colon).toLowerCase(),
          field.slice(colon + 1).trim(),
        ] as const;
      }),
    );
    const { repository, revision } = this.#repository;
    const prefix = `/${repository}/resolve/${revision}/`;
    const path = target.split("?")[0]!;
    return {
      method,
      host: fields.get("host") ?? "",
      target,
      name: path.slice(path.startsWith(prefix) ? prefix.length : 9),
      stage: path.startsWith(prefix) ? "resolve" : "content",
      fromByte: Number(
        /^bytes=([0-9]+)-$/.exec(fields.get("range") ?? "")?.[1] ?? 0,
      ),
      fields,
    };
  }

  async #relay(port: number): Promise<void> {
    const server = net.createServer({ noDelay: true }, (client) => {
      const inner = net.connect(port, "127.0.0.1", () => {
        inner.setNoDelay(true);
        this.#sockets.set(inner.localPort!, client);
        client.pipe(inner);
        inner.pipe(client);
      });
      client.on("error", () => inner.destroy());
      client.on("close", () => inner.destroy());
      inner.on("error", () => client.destroy());
    });
    await new Promise<void>((resolve) =>
      server.listen(443, "127.0.0.1", resolve)
    );
    this.#ends.push(() => {
      server.close();
      for (const socket of this.#sockets.values()) socket.destroy();
    });
  }
}
