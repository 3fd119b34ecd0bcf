// Bytes are reserved in the ledger, durably, before they are
// asked for, and settled afterwards, so that a kill forfeits at most one
// reservation and the ceiling holds across processes.

import { unreservedBytes, withFile } from "./ledger_content.ts";
import type { LedgerContent, LedgerRequest } from "./ledger_format.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Part of each first reservation that is for answers other than the file:
 * redirects and refusals have bodies too, and these count. In bytes.
 */
export const ANSWER_ALLOWANCE = 16 * 1024;

/** One request's account, from its reservation to its settlement. */
export class RequestRecord {
  readonly #ledger: Ledger;
  readonly #name: string;
  readonly #reservationBytes: number;
  /** Reserved in the ledger and not used yet, in bytes. */
  #reserved = 0;
  /** Used since the ledger was last written, in bytes. */
  #received = 0;
  #forfeited = 0;
  #host: string | null = null;

  private constructor(ledger: Ledger, name: string, reservationBytes: number) {
    this.#ledger = ledger;
    this.#name = name;
    this.#reservationBytes = reservationBytes;
  }

  /**
   * Opens a request: from here on it counts, even if the process dies.
   *
   * @param options.expectedBytes Payload that it would bring, in bytes.
   */
  static open(
    ledger: Ledger,
    name: string,
    options: {
      readonly fromByte: number;
      readonly expectedBytes: number;
      readonly uptimeSeconds: number;
      readonly reservationBytes: number;
    },
  ): RequestRecord {
    const record = new RequestRecord(ledger, name, options.reservationBytes);
    const request: LedgerRequest = {
      started_uptime_s: options.uptimeSeconds,
      from_byte: options.fromByte,
      host: null,
      payload_bytes: 0,
      forfeited_bytes: 0,
      outcome: "open",
      detail: null,
    };
    record.#write(
      options.expectedBytes + ANSWER_ALLOWANCE,
      (content) =>
        withFile(content, name, (file) => ({
          status: "partial",
          requests: [...file.requests, request],
        })),
    );
    return record;
  }

  /** Bytes that may be received now. */
  get allowance(): number {
    return this.#reserved - this.#received - this.#forfeited;
  }

  /** Bytes that the account has left for this request, reserved or not. */
  get available(): number {
    return this.allowance + unreservedBytes(this.#ledger.content);
  }

  /** Says which host answers. */
  answeredBy(host: string): void {
    this.#host = host;
  }

  /** Counts bytes that arrived. */
  received(bytes: number): void {
    this.#received += bytes;
  }

  /** Counts bytes that may have been sent and won't be read. */
  forfeit(bytes: number): void {
    this.#forfeited += Math.min(Math.max(0, bytes), this.allowance);
  }

  /**
   * Reserves more, if less than half a reservation is left for what comes.
   *
   * @param leftBytes Payload that is still to come, in bytes.
   * @throws The disk's error.
   */
  prepare(leftBytes: number): void {
    if (
      this.allowance < leftBytes &&
      this.allowance < this.#reservationBytes / 2 &&
      unreservedBytes(this.#ledger.content) > 0
    ) this.#write(leftBytes, (content) => content);
  }

  /**
   * Settles the request and gives back what wasn't used.
   *
   * @throws The disk's error.
   */
  close(
    outcome: LedgerRequest["outcome"],
    detail: string | null,
    change: (content: LedgerContent) => LedgerContent = (content) => content,
  ): void {
    this.#write(
      0,
      (content) =>
        change(this.#withRequest(content, () => ({ outcome, detail }))),
    );
  }

  /** Settles what was used, and reserves what may come next. */
  #write(
    leftBytes: number,
    change: (content: LedgerContent) => LedgerContent,
  ): void {
    const received = this.#received;
    const forfeited = this.#forfeited;
    let reserved = 0;
    this.#ledger.update((before) => {
      const settled = before.bytes.settled + received + forfeited;
      reserved = Math.min(
        leftBytes,
        this.#reservationBytes,
        before.bytes.ceiling - settled,
      );
      return this.#withRequest(
        change({ ...before, bytes: { ...before.bytes, settled, reserved } }),
        (request) => ({
          host: this.#host,
          payload_bytes: request.payload_bytes + received,
          forfeited_bytes: request.forfeited_bytes + forfeited,
        }),
      );
    });
    this.#reserved = reserved;
    this.#received = 0;
    this.#forfeited = 0;
  }

  /** Changes this request's line: the file's last. */
  #withRequest(
    content: LedgerContent,
    change: (request: LedgerRequest) => Partial<LedgerRequest>,
  ): LedgerContent {
    return withFile(content, this.#name, (file) => ({
      requests: file.requests.map((request, index) =>
        index === file.requests.length - 1
          ? { ...request, ...change(request) }
          : request
      ),
    }));
  }
}
