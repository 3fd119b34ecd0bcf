// The supervisor's side of the model worker: a source whose proposals are what
// the worker generated, and nothing else. It has no text of its own to offer.

import { keepProposal } from "../agent/proposal_bytes.ts";
import type {
  Attempt,
  Loaded,
  Message,
  Request,
  Source,
  TokenCount,
} from "../agent/source.ts";
import {
  type FromModelWorker,
  type LoadCall,
  MAX_NEW_TOKENS,
  readModelWorkerMessage,
  type ToModelWorker,
} from "./worker_protocol.ts";

/** A model worker, or what stands in for one. */
export interface ModelChannel {
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: ToModelWorker): void;
  terminate(): void;
}

/** Progress of loading or of a generation. */
export type ModelProgress = Extract<
  FromModelWorker,
  { type: "load_progress" | "propose_progress" }
>;

type Answer = Exclude<FromModelWorker, ModelProgress>;
type Call =
  | Omit<LoadCall, "call">
  | { readonly type: "count_tokens"; readonly messages: readonly Message[] }
  | {
    readonly type: "propose";
    readonly messages: readonly Message[];
    readonly maxNewTokens: number;
  };

/** Proposals that the model worker generates. */
export class ModelSource implements Source {
  readonly #channel: ModelChannel;
  readonly #load: Omit<LoadCall, "type" | "call">;
  readonly #onProgress: (progress: ModelProgress) => void;
  #call = 0;
  #waiting: ((answer: Answer) => void) | null = null;
  /** Why the worker can't be asked any more. */
  #broken: string | null = null;
  /** Messages that answered no open call: late or double ones. */
  #ignored = 0;

  constructor(
    channel: ModelChannel,
    load: Omit<LoadCall, "type" | "call">,
    onProgress: (progress: ModelProgress) => void = () => {},
  ) {
    this.#channel = channel;
    this.#load = load;
    this.#onProgress = onProgress;
    channel.onmessage = ({ data }) => this.#take(data);
    channel.onerror = (event) => {
      event.preventDefault();
      this.#break("The model worker ended by an error");
    };
  }

  async load(): Promise<Loaded> {
    const { answer, elapsed_ms } = await this.#ask({
      type: "load",
      ...this.#load,
    });
    return answer.type === "loaded"
      ? { elapsed_ms, source_facts: answer.facts }
      : { failed: "model_error", detail: detailOf(answer), elapsed_ms };
  }

  async countTokens(messages: readonly Message[]): Promise<TokenCount> {
    const { answer, elapsed_ms } = await this.#ask({
      type: "count_tokens",
      messages,
    });
    return answer.type === "counted"
      ? { tokens: answer.tokens }
      : { failed: "model_error", detail: detailOf(answer), elapsed_ms };
  }

  async propose({ messages }: Request): Promise<Attempt> {
    const { answer, elapsed_ms } = await this.#ask({
      type: "propose",
      messages,
      maxNewTokens: MAX_NEW_TOKENS,
    });
    const ignored = this.#ignored === 0
      ? {}
      : { ignored_messages: this.#ignored };
    return answer.type === "proposal"
      ? {
        ...keepProposal(new TextEncoder().encode(answer.text)),
        elapsed_ms,
        source_facts: { ...answer.facts, ...ignored },
      }
      : {
        failed: "model_error",
        detail: detailOf(answer),
        elapsed_ms,
        ...(this.#ignored === 0 ? {} : { source_facts: ignored }),
      };
  }

  /** Ends the worker; a native call of its goes on, but is not heard any more. */
  close(): void {
    this.#break("The model worker was ended");
    this.#channel.terminate();
  }

  async #ask(call: Call): Promise<{ answer: Answer; elapsed_ms: number }> {
    const before = performance.now();
    const answer = await new Promise<Answer>((resolve) => {
      const number = ++this.#call;
      if (this.#broken !== null) {
        return resolve({
          type: "failed",
          call: number,
          sentence: this.#broken,
        });
      }
      this.#waiting = resolve;
      this.#channel.postMessage({ ...call, call: number } as ToModelWorker);
    });
    const elapsedMs = performance.now() - before;
    return { answer, elapsed_ms: Math.round(elapsedMs * 1_000) / 1_000 };
  }

  #take(data: unknown): void {
    const message = readModelWorkerMessage(data);
    if (message === null) {
      return this.#break("The model worker said something it never says");
    }
    if (message.call !== this.#call || this.#waiting === null) {
      this.#ignored++;
      return;
    }
    if (
      message.type === "load_progress" || message.type === "propose_progress"
    ) return this.#onProgress(message);
    this.#answer(message);
  }

  #break(sentence: string): void {
    this.#broken ??= sentence;
    this.#answer({ type: "failed", call: this.#call, sentence: this.#broken });
  }

  #answer(answer: Answer): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(answer);
  }
}

/** Why a call failed; an answer of another kind is a failure too. */
function detailOf(answer: Answer): string {
  return answer.type === "failed"
    ? answer.sentence
    : "The model worker answered another question";
}
