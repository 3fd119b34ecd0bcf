// Lab Part 10: what a run is, sealed before its loop begins. The audit's first
// record chains to these bytes.

import type { z } from "../system/zod.ts";
import type { RunIdentity } from "../agent/run.ts";
import type { manifestSchema } from "./manifest_schema.ts";

/** Name of the manifest in a run's folder. */
export const MANIFEST_NAME = "manifest.json";

/** Version of the manifest's format. */
export const MANIFEST_VERSION = 1;

/** Most bytes of a manifest. */
export const MAX_MANIFEST_BYTES = 128 * 1_024;

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
