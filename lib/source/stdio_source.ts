// Proposals from the caller's own program: one JSON line each way. A line that
// isn't an asked-for answer is never taken as a proposal.

import type { JsonObject } from "../agent/json.ts";
import { keepProposal } from "../agent/proposal_bytes.ts";
import type { Attempt, Request, Source } from "../agent/source.ts";
import { decodeBase64 } from "../system/base64.ts";
import { type Clock, threadClock } from "../system/clock.ts";
import { readLines } from "../system/read_lines.ts";
import {
  isJsonTreeObject,
  JsonNumber,
  scanJson,
  toPlainJson,
} from "../system/strict_json.ts";
import { VERSION } from "../system/version.ts";

/** Most bytes of one input line. */
export const MAX_LINE_BYTES = 16 * 1_024;

/** Version of the protocol, as the first line out says it. */
export const PROTOCOL = 1;

/** How long a proposer may take to read the last line, in milliseconds. */
const FINAL_MS = 5_000;

/** Where the lines come from and go to. */
export interface LineStreams {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes all of the bytes; rejects when the reader is gone. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Cancels the run, and says why. */
  readonly cancel: (why: string) => void;
}

/** One line that came in. */
export type InputLine =
  | { readonly kind: "cancel" }
  | {
    readonly kind: "answer";
    readonly proposalNumber: number;
    readonly proposal: Uint8Array;
  }
  | { readonly kind: "malformed"; readonly detail: string };

type Failure = Pick<Attempt, "failed" | "detail">;

/** A proposer on the other end of two streams of lines. */
export class StdioSource implements Source {
  readonly #streams: LineStreams;
  readonly #clock: Clock;
  #writing: Promise<void> = Promise.resolve();
  #asked:
    | { number: number; resolve: (attempt: Attempt) => void; sinceMs: number }
    | null = null;
  /** Number of the last request; 0 before the first. */
  #lastAsked = 0;
  #failure: Failure | null = null;

  /** @param clock The clock that the gate's deadlines are on. */
  constructor(streams: LineStreams, clock: Clock = threadClock()) {
    this.#streams = streams;
    this.#clock = clock;
    this.#send({ type: "hello", protocol: PROTOCOL, tinycoder: VERSION });
    this.#listen();
  }

  propose(
    request: Request,
    gate: { readonly deadline: number },
  ): Promise<Attempt> {
    const { proposalNumber, messages } = request;
    if (this.#failure !== null) {
      return Promise.resolve({ ...this.#failure, elapsed_ms: 0 });
    }
    return new Promise((resolve) => {
      const sinceMs = this.#clock.now();
      this.#asked = { number: proposalNumber, resolve, sinceMs };
      this.#lastAsked = proposalNumber;
      this.#send({
        type: "request",
        proposal_number: proposalNumber,
        call_deadline_ms: Math.max(0, Math.round(gate.deadline - sinceMs)),
        messages,
      });
    });
  }

  /** Tells the proposer what the controller answered. */
  sendObservation(proposalNumber: number, observation: JsonObject): void {
    this.#send({
      type: "observation",
      proposal_number: proposalNumber,
      observation,
    });
  }

  /**
   * Tells the proposer how the run ended, and waits until all is written.
   *
   * @param evidenceHolds Whether the run's own verification holds: where it
   *   doesn't, what the final report claims isn't shown.
   * @param withinMs When to give a proposer up that doesn't read, in
   *   milliseconds: a sealed run must not wait for it.
   */
  async sendFinal(
    final: JsonObject,
    evidenceHolds: boolean,
    withinMs = FINAL_MS,
  ): Promise<void> {
    this.#send({ type: "final", evidence_holds: evidenceHolds, final });
    const givenUp = Promise.withResolvers<void>();
    const timer = setTimeout(givenUp.resolve, withinMs);
    await Promise.race([this.#writing, givenUp.promise]);
    clearTimeout(timer);
  }

  #send(message: JsonObject): void {
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#writing = this.#writing
      .then(() => this.#streams.write(line))
      .catch(() =>
        this.#end({ failed: "cancelled", detail: "The output was closed" })
      );
  }

  async #listen(): Promise<void> {
    try {
      const lines = readLines(this.#streams.input, {
        maxBytes: MAX_LINE_BYTES,
      });
      for await (const line of lines) {
        const read: InputLine = "bytes" in line ? readInputLine(line.bytes) : {
          kind: "malformed",
          detail: `A line is over ${MAX_LINE_BYTES} bytes`,
        };
        this.#take(read);
      }
      this.#fail({ failed: "cancelled", detail: "The input ended" });
    } catch {
      this.#fail({ failed: "cancelled", detail: "The input can't be read" });
    }
  }

  #take(line: InputLine): void {
    switch (line.kind) {
      case "cancel":
        return this.#end({
          failed: "cancelled",
          detail: "The proposer cancelled",
        });
      case "malformed":
        return this.#fail({ failed: "model_error", detail: line.detail });
      case "answer": {
        const asked = this.#asked;
        if (asked === null || asked.number !== line.proposalNumber) {
          return this.#fail({
            failed: "model_error",
            detail: `Proposal ${line.proposalNumber} ${
              line.proposalNumber === this.#lastAsked + 1
                ? "came before it was asked for"
                : "was not asked for"
            }`,
          });
        }
        this.#answer(keepProposal(line.proposal));
      }
    }
  }

  /** Ends the run now, whatever the controller is doing. */
  #end(failure: Failure & { readonly detail: string }): void {
    this.#fail(failure);
    this.#streams.cancel(failure.detail);
  }

  /** Fails the attempt that is waiting, and every later one. */
  #fail(failure: Failure): void {
    this.#failure ??= failure;
    this.#answer(this.#failure);
  }

  #answer(answer: Omit<Attempt, "elapsed_ms">): void {
    const asked = this.#asked;
    if (asked === null) return;
    this.#asked = null;
    const elapsed_ms = Math.round((this.#clock.now() - asked.sinceMs) * 1_000) /
      1_000;
    asked.resolve({ ...answer, elapsed_ms });
  }
}

/** Reads one input line; whatever it isn't, it is never a proposal. */
export function readInputLine(bytes: Uint8Array): InputLine {
  const malformed = (detail: string): InputLine => ({
    kind: "malformed",
    detail,
  });
  const scan = scanJson(bytes, { maxDepth: 1 });
  if (!scan.ok) {
    return malformed(`A line isn't one JSON object: ${scan.message}`);
  }
  const { value } = scan;
  const plain = toPlainJson(value);
  if (
    !plain.ok || plain.value === null || typeof plain.value !== "object" ||
    Array.isArray(plain.value)
  ) {
    return malformed("A line isn't one JSON object");
  }
  const { proposal_number, proposal, proposal_base64, cancel, ...rest } = plain
    .value as JsonObject;
  if (Object.keys(rest).length > 0) {
    return malformed("A line has an unknown key");
  }
  if (cancel !== undefined) {
    return cancel === true && Object.keys(plain.value).length === 1
      ? { kind: "cancel" }
      : malformed('"cancel" is true, and alone');
  }
  // An answer repeats the request's number: `1.0` and `1e0` are no repetition.
  const number = isJsonTreeObject(value) ? value.get("proposal_number") : null;
  if (
    typeof proposal_number !== "number" ||
    !(number instanceof JsonNumber && /^-?[0-9]+$/.test(number.lexeme))
  ) {
    return malformed('"proposal_number" is missing, or no integer');
  }
  const answer = (bytes: Uint8Array): InputLine => ({
    kind: "answer",
    proposalNumber: proposal_number,
    proposal: bytes,
  });
  if (typeof proposal === "string" && proposal_base64 === undefined) {
    // The scanner took no lone surrogate, so the text has these bytes only.
    return answer(new TextEncoder().encode(proposal));
  }
  if (typeof proposal_base64 === "string" && proposal === undefined) {
    const decoded = decodeBase64(proposal_base64);
    return decoded === undefined
      ? malformed('"proposal_base64" is no padded base64')
      : answer(decoded);
  }
  return malformed(
    'A line carries either "proposal" or "proposal_base64", a string',
  );
}
