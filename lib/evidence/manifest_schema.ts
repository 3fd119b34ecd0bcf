// The format of a manifest, apart from its use: whoever writes one needs no
// schema at run time.

import { z } from "../system/zod.ts";
import { MANIFEST_VERSION } from "./manifest.ts";
import { objectSchema, sha256Schema } from "./record_schema.ts";

/** The format of `manifest.json`. */
export const manifestSchema = z.strictObject({
  format: z.literal("tinycoder/manifest"),
  format_version: z.literal(MANIFEST_VERSION),
  run_id: z.uuid(),
  created: z.iso.datetime(),
  task: z.string(),
  proposal_source: z.string(),
  core_trial: z.boolean(),
  extension: z.string().nullable(),
  /** Under whose word the run may edit, and what that word covers. */
  authority: z.strictObject({
    opt_in: z.enum(["command", "typed", "flag"]),
    covers: z.string(),
  }),
  limits: objectSchema,
  runtime: objectSchema,
  /** What was tried beyond the controller's room, and how it was answered. */
  enforced: z.record(z.string(), z.enum(["denied", "not_enforced"])),
  model: objectSchema.nullable(),
  /** The fixed instruction and contract, whole. */
  prompt: z.strictObject({
    system_instruction: z.string(),
    contract: z.string(),
  }),
  digests: z.record(z.string(), sha256Schema),
  initial_files: z.array(z.strictObject({
    name: z.string(),
    bytes: z.int().nonnegative(),
    sha256: sha256Schema,
  })),
});
