// The format of `replay --json`, for whoever reads it.

import { z } from "../system/zod.ts";

/** Version of a replay's JSON. */
export const REPLAY_VERSION = 1;

/** The format of a replay's comparison. */
export const replaySchema = z.strictObject({
  format: z.literal("tinycoder/replay"),
  format_version: z.literal(REPLAY_VERSION),
  recorded_run_id: z.uuid(),
  fresh_run_id: z.uuid(),
  agrees: z.boolean(),
  /** Events that are the same in both runs, up to the divergence. */
  events: z.int().nonnegative(),
  /** Whether the recorded run was recorded to its end. */
  recorded_to_end: z.boolean(),
  divergence: z.strictObject({
    kind: z.enum([
      "missing",
      "extra",
      "request",
      "action",
      "observation",
      "state",
      "fact",
    ]),
    /** Number of the event, the same in both runs. */
    event: z.int().positive(),
    proposal_number: z.int().positive().nullable(),
    field: z.string(),
    recorded: z.string(),
    fresh: z.string(),
  }).nullable(),
});
