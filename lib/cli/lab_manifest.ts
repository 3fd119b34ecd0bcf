// Lab Part 10: what a run's manifest says of prompt, fixtures and harness.

import type { JsonObject } from "../agent/json.ts";
import fixtureCases from "../../fixtures/cases.json" with { type: "json" };
import harness from "../../fixtures/harness.json" with { type: "json" };
import { canonicalJson } from "../evidence/audit_record.ts";
import { type Manifest, MANIFEST_VERSION } from "../evidence/manifest.ts";
import { contractText } from "../lab/contract/contract_text.ts";
import { SYSTEM_INSTRUCTION } from "../lab/instruction.ts";
import { MAX_CONSECUTIVE_INVALID, MAX_PROPOSALS } from "../lab/lab_task.ts";
import { INITIAL_SOURCE, TASK_TEXT } from "../lab/managed_files.ts";
import { MAX_INPUT_TOKENS } from "../lab/request_assembly.ts";
import { sha256 } from "../system/sha256.ts";

/** Name of the lab's task in manifests. */
export const LAB_TASK = "lab16";

/** What the main thread says of a run before it begins. */
export interface RunDeclaration {
  readonly source: string;
  readonly coreTrial: boolean;
  readonly extension: string | null;
  readonly authority: Manifest["authority"];
  readonly runtime: JsonObject;
  readonly model: JsonObject | null;
}

/** Rest of the manifest's facts, from the thread that writes it. */
export interface ManifestFacts {
  readonly runId: string;
  readonly created: string;
  readonly enforced: Manifest["enforced"];
  readonly runMs: number;
  readonly callMs: number;
}

/** The manifest of one run of the lab's task. */
export function labManifest(
  declared: RunDeclaration,
  facts: ManifestFacts,
): Manifest {
  const contract = contractText();
  return {
    format: "tinycoder/manifest",
    format_version: MANIFEST_VERSION,
    run_id: facts.runId,
    created: facts.created,
    task: LAB_TASK,
    proposal_source: declared.source,
    core_trial: declared.coreTrial,
    extension: declared.extension,
    authority: declared.authority,
    limits: {
      proposals: MAX_PROPOSALS,
      consecutive_invalid: MAX_CONSECUTIVE_INVALID,
      input_tokens: MAX_INPUT_TOKENS,
      run_ms: facts.runMs,
      call_ms: facts.callMs,
    },
    runtime: { ...declared.runtime },
    enforced: facts.enforced,
    model: declared.model === null ? null : { ...declared.model },
    prompt: { system_instruction: SYSTEM_INSTRUCTION, contract },
    digests: {
      system_instruction: sha256(SYSTEM_INSTRUCTION),
      contract: sha256(contract),
      public_cases: sha256(canonicalJson(fixtureCases.public)),
      held_out_cases: sha256(canonicalJson(fixtureCases.held_out)),
      harness: harness.sha256 as ReturnType<typeof sha256>,
    },
    initial_files: [
      initialFile("TASK.txt", TASK_TEXT),
      initialFile("toy_math.py", INITIAL_SOURCE),
    ],
  };
}

function initialFile(name: string, text: string) {
  const { length: bytes } = new TextEncoder().encode(text);
  return { name, bytes, sha256: sha256(text) };
}
