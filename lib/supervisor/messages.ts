// What supervisor and controller say to each other: bounded prompts one way,
// bounded proposals the other, and records for whoever watches.

import type { JsonObject } from "../agent/json.ts";
import type { Attempt, Loaded, Message, TokenCount } from "../agent/source.ts";

/** What the source can do beside proposing. */
export interface SourceAbilities {
  readonly load: boolean;
  readonly countTokens: boolean;
}

/** What a source answers to one question. */
export type Answer = Loaded | TokenCount | Attempt;

/** From the supervisor to the controller. */
export type ToController<Start> =
  /**
   * First. A message that a worker sends unasked while it starts can get lost
   * in a busy process (seen with Deno 2.9.4 under `deno test`); one that waits
   * for the worker can't.
   */
  | { readonly type: "greeting" }
  | {
    readonly type: "start";
    /** What the controller's task needs to begin. */
    readonly start: Start;
    readonly abilities: SourceAbilities;
    /** The shared stop word. */
    readonly word: SharedArrayBuffer;
    /** The supervisor's clock as it sent this, in milliseconds. */
    readonly supervisorMs: number;
    /** When the run must be over, on the supervisor's clock, in milliseconds. */
    readonly runDeadlineMs: number;
    /** How long the whole run may take, in milliseconds. */
    readonly runMs: number;
    /** How long one call may take, in milliseconds. */
    readonly callMs: number;
  }
  | {
    readonly type: "answer";
    readonly answer: Answer;
  };

/** From the controller to the supervisor. */
export type FromController =
  /** The answer to the greeting. */
  | { readonly type: "hello" }
  | { readonly type: "record"; readonly record: JsonObject }
  | { readonly type: "load" }
  | { readonly type: "count_tokens"; readonly messages: readonly Message[] }
  | {
    readonly type: "propose";
    readonly proposalNumber: number;
    readonly messages: readonly Message[];
    /** On the run's clock, in milliseconds. */
    readonly deadlineMs: number;
  }
  | { readonly type: "ended"; readonly final: JsonObject }
  | { readonly type: "failed"; readonly failure: ControllerFailure };

/** Whether a message is one that a controller sends, by its type alone. */
export function isFromController(message: unknown): message is FromController {
  if (typeof message !== "object" || message === null) return false;
  const { type } = message as { type?: unknown };
  return typeof type === "string" && Object.hasOwn(FROM_CONTROLLER, type);
}

const FROM_CONTROLLER: Record<FromController["type"], true> = {
  hello: true,
  record: true,
  load: true,
  count_tokens: true,
  propose: true,
  ended: true,
  failed: true,
};

/** Why a controller could not bring its run to an end. */
export interface ControllerFailure {
  readonly reason:
    | "not_enforced"
    | "folder"
    | "audit"
    | "crashed"
    | "silent";
  /** One sentence without absolute paths. */
  readonly message: string;
  /** The system's error code, where there was one. */
  readonly code?: string;
}
