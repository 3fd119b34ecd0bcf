// Puts the lab's task behind the verification of evidence: what its manifests
// say, and what only it can check.

import type { Contradiction } from "../agent/witness.ts";
import type { Json } from "../agent/json.ts";
import { showValue } from "../evidence/first_difference.ts";
import type { Manifest } from "../evidence/manifest.ts";
import type { TaskVerification } from "../evidence/verify.ts";
import { isWallTime } from "../evidence/verify_times.ts";
import { LabWitness } from "../lab/verify_lab.ts";
import { CALL_MS, RUN_MS } from "../supervisor/deadline_gate.ts";
import type { Files } from "../system/files.ts";
import harness from "../../fixtures/harness.json" with { type: "json" };
import { evidenceOf } from "./lab_evidence.ts";
import { LAB_TASK, labManifest } from "./lab_manifest.ts";
import { WALLS } from "./probe_room.ts";
import { RUN_COVERS } from "./run_covers.ts";

/** The verification of the task that a manifest names. */
export function verificationOf(
  files: Files,
  folder: string,
): (task: string) => TaskVerification | null {
  return (task) => {
    const evidence = evidenceOf(files, folder)(task);
    return evidence === null || task !== LAB_TASK ? null : {
      evidence,
      harness: harness.sha256,
      expectedManifest: expectedLabManifest,
      contradictionIn: declarationContradiction,
      witnesses: async (found) => [
        new LabWitness(files, folder, found.proposal_source),
        ...speaksOfModel(found)
          ? [new (await import("./model_witness.ts")).ModelWitness(found)]
          : [],
      ],
    };
  };
}

/** The manifest that this program writes for the same declared facts. */
function expectedLabManifest(found: Manifest): Manifest {
  const { run_ms: runMs, call_ms: callMs } = found.limits;
  const expected = labManifest({
    source: found.proposal_source,
    coreTrial: found.core_trial,
    extension: found.extension,
    authority: { ...found.authority, covers: RUN_COVERS },
    runtime: found.runtime,
    model: found.model,
  }, {
    runId: found.run_id,
    created: found.created,
    enforced: found.enforced,
    runMs: Number(runMs),
    callMs: Number(callMs),
  });
  const { harness = expected.digests["harness"] ?? "" } = found.digests;
  return { ...expected, digests: { ...expected.digests, harness } };
}

/**
 * The proposal sources that runs have; `recorded` is a replay's, `scenario` a
 * harness check's.
 */
const SOURCES: readonly string[] = [
  "scripted",
  "stdio",
  "model",
  "recorded",
  "scenario",
];

/** A replay repeats what its original was told, a model's facts included. */
function speaksOfModel({ model, proposal_source }: Manifest): boolean {
  return model !== null || proposal_source === "recorded";
}

/** What of a manifest's declared facts no run has, or null. */
async function declarationContradiction(
  found: Manifest,
): Promise<Contradiction | null> {
  const broken = claimsOf(found).find(({ holds }) => !holds);
  if (broken !== undefined) {
    return {
      message: "No run declares this",
      field: broken.field,
      expected: broken.expected,
      found: showValue(broken.value),
    };
  }
  const { model, core_trial } = found;
  if (model === null) return null;
  const { modelContradiction } = await import("./model_declaration.ts");
  return modelContradiction(model, core_trial);
}

/** What every run declares in one of a few ways. */
function claimsOf(found: Manifest): readonly Claim[] {
  const { proposal_source: source, core_trial, model, extension } = found;
  const { enforced } = found;
  const { opt_in } = found.authority;
  const { run_ms, call_ms } = found.limits;
  const isModel = source === "model";
  return [
    {
      field: "created",
      value: found.created,
      holds: isWallTime(found.created),
      expected: "a time as the program writes it",
    },
    {
      field: "proposal_source",
      value: source,
      holds: SOURCES.includes(source),
      expected: `one of ${SOURCES.join(", ")}`,
    },
    {
      field: "model",
      value: model,
      holds: (model !== null) === isModel,
      expected: isModel ? "an object" : "null",
    },
    {
      field: "core_trial",
      value: core_trial,
      holds: core_trial === (isModel && extension === null),
      expected: isModel && extension === null ? "true" : "false",
    },
    {
      field: "extension",
      value: extension,
      holds: isExtension(source, extension),
      expected: source === "recorded" ? "the run that is replayed" : "null",
    },
    {
      field: "authority.opt_in",
      value: opt_in,
      holds: (opt_in === "command") !== isModel,
      expected: isModel ? '"typed" or "flag"' : '"command"',
    },
    {
      field: "limits.run_ms",
      value: run_ms,
      // Only an acquisition's window leaves its core trial less.
      holds: core_trial ? isLimit(run_ms, RUN_MS) : run_ms === RUN_MS,
      expected: core_trial ? `1 to ${RUN_MS}` : `${RUN_MS}`,
    },
    {
      field: "limits.call_ms",
      value: call_ms,
      holds: call_ms === CALL_MS,
      expected: `${CALL_MS}`,
    },
    {
      field: "enforced",
      value: enforced,
      holds: isEveryWall(enforced),
      expected: 'every wall that a controller tries, "denied"',
    },
  ];
}

/** One declared fact, and whether a run can declare it. */
interface Claim {
  readonly field: string;
  readonly value: Json | undefined;
  readonly holds: boolean;
  readonly expected: string;
}

/** A run without threads, as tests conduct it, tries no wall at all. */
function isEveryWall(enforced: Manifest["enforced"]): boolean {
  const tried = Object.keys(enforced);
  return (tried.length === 0 || tried.length === WALLS.length) &&
    WALLS.every((wall) => tried.length === 0 || enforced[wall] === "denied");
}

/** What is declared to be different in a run of this source. */
function isExtension(source: string, extension: string | null): boolean {
  switch (source) {
    case "model":
      return true;
    case "recorded":
      return /^Replay of run [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
        .test(extension ?? "");
    default:
      return extension === null;
  }
}

function isLimit(value: unknown, most: number): boolean {
  return typeof value === "number" && value > 0 && value <= most;
}
