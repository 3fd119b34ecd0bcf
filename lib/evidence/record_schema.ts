// The formats of evidence as zod schemas: what a reader accepts, and what
// `tinycoder schema` prints.

import { z } from "../system/zod.ts";
import type { JsonObject } from "../agent/json.ts";

/** A SHA-256 digest in lower-case hexadecimal. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** Any JSON object. */
export const objectSchema = z.record(z.string(), z.json()) as z.ZodType<
  JsonObject
>;

/** One record of an audit, whatever its event. */
export const auditRecordSchema = z.strictObject({
  run_id: z.uuid(),
  event_id: z.int().positive(),
  event: z.string().regex(/^[a-z_]{1,64}$/),
  kind: z.enum(["fact", "derived"]),
  at: z.string().regex(/^[a-z_]{1,64}$/).nullable(),
  proposal_number: z.int().positive().nullable(),
  monotonic_ms: z.number().nonnegative(),
  wall_time: z.iso.datetime(),
  source: z.string().min(1).max(64),
  prev: sha256Schema,
  content: objectSchema,
});
