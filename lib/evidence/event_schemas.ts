// A closed set of event types, one schema each: the loop's here, the task's with
// the task. A type that is in neither isn't evidence.

import { z } from "../system/zod.ts";
import { objectSchema, sha256Schema } from "./record_schema.ts";

/** Schemas of event contents, by event type. */
export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** A task's or the loop's events. */
export interface EventCatalogue {
  readonly facts: EventSchemas;
  readonly derived: EventSchemas;
}

const failed = z.enum(["cancelled", "time_limit", "model_error"]);
const message = z.strictObject({
  role: z.enum(["system", "user"]),
  content: z.string(),
});

/** The loop's events. */
const loopCatalogue: EventCatalogue = {
  facts: {
    model_loaded: z.strictObject({
      failed: failed.optional(),
      detail: z.string().optional(),
      elapsed_ms: z.number().nonnegative(),
      source_facts: objectSchema.optional(),
    }),
    tokens_counted: z.union([
      z.strictObject({ tokens: z.int().nonnegative() }),
      z.strictObject({
        failed,
        detail: z.string().optional(),
        elapsed_ms: z.number().nonnegative(),
      }),
    ]),
    proposal_received: z.strictObject({
      proposal_text: z.string().optional(),
      proposal_base64: z.base64().optional(),
      failed: failed.optional(),
      detail: z.string().optional(),
      elapsed_ms: z.number().nonnegative(),
      source_facts: objectSchema.optional(),
    }),
    stop_requested: z.strictObject({
      stop: z.enum(["cancelled", "call_expired", "run_expired"]),
    }),
    harness_fault: z.strictObject({ error: z.string(), message: z.string() }),
    times_measured: z.strictObject({
      elapsed_ms: z.record(z.string(), z.number().nonnegative()),
    }),
  },
  derived: {
    request_assembled: z.strictObject({ messages: z.array(message) }),
    proposal_discarded: z.strictObject({ stop_reason: z.string() }),
    proposal_admitted: z.strictObject({ action: objectSchema }),
    observation_made: z.strictObject({
      observation: objectSchema,
      counts: z.enum(["valid", "invalid", "neutral"]),
    }),
    loop_stopped: z.strictObject({
      stop_reason: z.string(),
      detail: z.string().nullable(),
      proposals: z.int().nonnegative(),
      invalid_proposals: z.int().nonnegative(),
    }),
    run_ended: objectSchema,
  },
};

/** What recovery adds, in a chain of its own. */
const recoveryCatalogue: EventCatalogue = {
  facts: {
    tail_found: z.strictObject({
      kind: z.enum(["clean", "torn", "nul_padding"]),
      bytes: z.int().nonnegative(),
      sha256: sha256Schema.nullable(),
    }),
  },
  derived: { run_recovered: objectSchema },
};

/** The loop's events and a task's together. */
export function withLoopEvents(task: EventCatalogue): EventCatalogue {
  return merged(loopCatalogue, task);
}

/** A run's events, and those that its recovery may add. */
export function withRecoveryEvents(run: EventCatalogue): EventCatalogue {
  return merged(run, recoveryCatalogue);
}

function merged(a: EventCatalogue, b: EventCatalogue): EventCatalogue {
  return {
    facts: { ...a.facts, ...b.facts },
    derived: { ...a.derived, ...b.derived },
  };
}
