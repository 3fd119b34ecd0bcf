// Lab Part 10: what a run is, sealed before its loop begins. The audit's first
// record chains to these bytes.

import { z } from "../system/zod.ts";
import type { RunIdentity } from "../agent/run.ts";
import { objectSchema, sha256Schema } from "./record_schema.ts";

/** Name of the manifest in a run's folder. */
export const MANIFEST_NAME = "manifest.json";

/** Version of the manifest's format. */
export const MANIFEST_VERSION = 1;

/** Most bytes of a manifest. */
export const MAX_MANIFEST_BYTES = 128 * 1_024;

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

/** What a run is. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The manifest's bytes, as they are written. */
export function manifestBytes(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** What the loop and the final report need of a manifest. */
export function runIdentity(manifest: Manifest): RunIdentity {
  return {
    runId: manifest.run_id,
    task: manifest.task,
    source: manifest.proposal_source,
    coreTrial: manifest.core_trial,
    extension: manifest.extension,
  };
}
