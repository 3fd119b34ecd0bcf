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
      witness: ({ proposal_source }) =>
        new LabWitness(files, folder, proposal_source),
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
    authority: found.authority,
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

/** What of a manifest's declared facts no run has, or null. */
function declarationContradiction(found: Manifest): Contradiction | null {
  const { proposal_source: source, core_trial, model, extension } = found;
  const { enforced } = found;
  const { opt_in } = found.authority;
  const { run_ms, call_ms } = found.limits;
  const isModel = source === "model";
  const claims: readonly Claim[] = [
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
      holds: !core_trial || (isModel && extension === null),
      expected: "false",
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
      holds: isLimit(run_ms, RUN_MS),
      expected: `1 to ${RUN_MS}`,
    },
    {
      field: "limits.call_ms",
      value: call_ms,
      holds: isLimit(call_ms, CALL_MS),
      expected: `1 to ${CALL_MS}`,
    },
    {
      field: "enforced",
      value: enforced,
      holds: isEveryWall(enforced),
      expected: 'every wall that a controller tries, "denied"',
    },
  ];
  const broken = claims.find(({ holds }) => !holds);
  return broken === undefined ? null : {
    message: "No run declares this",
    field: broken.field,
    expected: broken.expected,
    found: showValue(broken.value),
  };
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

function isLimit(value: unknown, most: number): boolean {
  return typeof value === "number" && value > 0 && value <= most;
}
