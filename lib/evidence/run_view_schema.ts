// The format of `show --json`, for whoever reads it.

import { z } from "../system/zod.ts";
import { manifestSchema } from "./manifest_schema.ts";
import { objectSchema, sha256Schema } from "./record_schema.ts";
import { RUN_VIEW_VERSION } from "./run_view_json.ts";

const eventId = z.int().positive();
const count = z.int().nonnegative();
const head = z.strictObject({ head: sha256Schema, count });

const proposalSchema = z.strictObject({
  number: z.int().positive(),
  /** From the first of its records to the last, in milliseconds. */
  elapsed_ms: z.number().nonnegative(),
  /** Null where the source has none. */
  tokens: z.strictObject({
    input: count,
    reused: count,
    output: count,
    ceiling_reached: z.boolean(),
  }).nullable(),
  request: z.strictObject({
    event_id: eventId,
    messages: z.array(z.strictObject({
      role: z.enum(["system", "user"]),
      content: z.string(),
    })),
  }).nullable(),
  /** As its event has it, what its source tells among it. */
  attempt: z.looseObject({
    event_id: eventId,
    elapsed_ms: z.number().nonnegative(),
    proposal_text: z.string().optional(),
    proposal_base64: z.base64().optional(),
    failed: z.string().optional(),
    detail: z.string().optional(),
    source_facts: objectSchema.optional(),
  }).nullable(),
  action: z.looseObject({ event_id: eventId, action: z.string() }).nullable(),
  answer: z.strictObject({
    event_id: eventId,
    counts: z.enum(["valid", "invalid", "neutral"]),
    observation: objectSchema,
  }).nullable(),
  /** A proposal that came too late to count. */
  discarded: z.strictObject({ event_id: eventId, stop_reason: z.string() })
    .nullable(),
  events: z.array(z.strictObject({ event_id: eventId, event: z.string() })),
});

/** The format of a run's view. */
export const runViewSchema = z.strictObject({
  format: z.literal("tinycoder/run-view"),
  format_version: z.literal(RUN_VIEW_VERSION),
  /** Unfinished: it is still running, or its process died. */
  state: z.enum(["complete", "recovered", "unfinished"]),
  manifest: manifestSchema,
  manifest_sha256: sha256Schema,
  proposals: z.array(proposalSchema),
  /** Null where no record says how the loop ended. */
  stop: z.strictObject({ reason: z.string(), detail: z.string().nullable() })
    .nullable(),
  final: objectSchema.nullable(),
  audit: head,
  /** What follows the last whole record. */
  tail: z.strictObject({
    kind: z.enum(["clean", "torn", "nul_padding"]),
    bytes: z.int().positive().optional(),
    sha256: sha256Schema.optional(),
  }),
  recovery: head.nullable(),
  /** What doesn't fit together; a view is no verification. */
  findings: z.array(z.strictObject({
    file: z.string(),
    line: z.int().positive().nullable(),
    message: z.string(),
  })),
});
