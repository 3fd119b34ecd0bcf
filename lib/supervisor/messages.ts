// What supervisor and controller say to each other: bounded prompts one way,
// bounded proposals the other, and records for whoever watches.

import type { JsonObject } from "../agent/json.ts";
import type { Attempt, Loaded, Message } from "../agent/source.ts";

/** What the source can do beside proposing. */
export interface SourceAbilities {
  readonly load: boolean;
  readonly countTokens: boolean;
}

/** From the supervisor to the controller. */
export type ToController<Start> =
  | {
    readonly type: "start";
    /** What the controller's task needs to begin. */
    readonly start: Start;
    readonly abilities: SourceAbilities;
    /** The shared stop word. */
    readonly word: SharedArrayBuffer;
    /** The supervisor's clock as it sent this, in milliseconds. */
    readonly supervisorMs: number;
    readonly runDeadlineMs: number;
    readonly callMs: number;
  }
  | {
    readonly type: "answer";
    readonly answer: Loaded | Attempt | number;
  };

/** From the controller to the supervisor. */
export type FromController =
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

/** Why a controller could not bring its run to an end. */
export interface ControllerFailure {
  readonly reason:
    | "not_enforced"
    | "folder"
    | "audit"
    | "final_report"
    | "crashed"
    | "silent";
  /** One sentence without absolute paths. */
  readonly message: string;
  /** The system's error code, where there was one. */
  readonly code?: string;
}
