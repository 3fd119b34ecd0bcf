// Manifests as runs without threads declare them: what a test doesn't speak of
// is the same in all of them.

import {
  labManifest,
  type ManifestFacts,
  type RunDeclaration,
} from "../lib/cli/lab_manifest.ts";
import { RUN_COVERS } from "../lib/cli/run_covers.ts";
import { type Manifest, MANIFEST_VERSION } from "../lib/evidence/manifest.ts";

/** A manifest of the lab's task. */
export function declaredManifest(
  facts: Pick<ManifestFacts, "created"> & Partial<ManifestFacts>,
  declared: Partial<RunDeclaration> = {},
): Manifest {
  return labManifest({
    source: "scripted",
    coreTrial: false,
    extension: null,
    authority: {
      opt_in: declared.source === "model" ? "typed" : "command",
      covers: RUN_COVERS,
    },
    runtime: {},
    model: null,
    ...declared,
  }, {
    runId: crypto.randomUUID(),
    enforced: {},
    runMs: 600_000,
    callMs: 120_000,
    ...facts,
  });
}

/** A manifest of a task that has neither prompt nor files. */
export function bareManifest(
  named: Pick<Manifest, "run_id" | "created" | "task" | "proposal_source">,
): Manifest {
  return {
    format: "tinycoder/manifest",
    format_version: MANIFEST_VERSION,
    ...named,
    core_trial: false,
    extension: null,
    authority: { opt_in: "command", covers: "nothing" },
    limits: {},
    runtime: {},
    enforced: {},
    model: null,
    prompt: { system_instruction: "", contract: "" },
    digests: {},
    initial_files: [],
  };
}
