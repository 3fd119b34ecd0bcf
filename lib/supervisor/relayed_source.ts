// The controller's end of the conversation: a source whose proposals arrive by
// message, one question at a time.

import type { Gate } from "../agent/gate.ts";
import type {
  Attempt,
  Loaded,
  Message,
  Request,
  Source,
  TokenCount,
} from "../agent/source.ts";
import type {
  Answer,
  FromController,
  SourceAbilities,
  ToController,
} from "./messages.ts";

/** Asks the supervisor for what the source has. */
export class RelayedSource implements Source {
  readonly load?: (gate: Gate) => Promise<Loaded>;
  readonly countTokens?: (messages: readonly Message[]) => Promise<TokenCount>;
  readonly #post: (message: FromController) => void;
  #waiting: ((answer: Answer) => void) | null = null;

  constructor(
    post: (message: FromController) => void,
    abilities: SourceAbilities,
  ) {
    this.#post = post;
    if (abilities.load) {
      this.load = () => this.#ask({ type: "load" }) as Promise<Loaded>;
    }
    if (abilities.countTokens) {
      this.countTokens = (messages) =>
        this.#ask({ type: "count_tokens", messages }) as Promise<TokenCount>;
    }
  }

  propose(request: Request, gate: Gate): Promise<Attempt> {
    return this.#ask({
      type: "propose",
      proposalNumber: request.proposalNumber,
      messages: request.messages,
      deadlineMs: gate.deadline,
    }) as Promise<Attempt>;
  }

  /** Takes the supervisor's answer; one that nobody waits for is dropped. */
  answer(message: Extract<ToController<unknown>, { type: "answer" }>): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(message.answer);
  }

  #ask(message: FromController): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#post(message);
    });
  }
}
