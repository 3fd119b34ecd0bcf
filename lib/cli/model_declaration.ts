// What a manifest declares of a model: only what a trial would declare, and for
// the lab's own checkpoint what the program pins. Loaded only for a run that
// has a model: no other needs its tables.

import type { JsonObject } from "../agent/json.ts";
import type { Contradiction } from "../agent/witness.ts";
import {
  type CheckpointManifest,
  PINNED_CHECKPOINT,
  readCheckpointManifest,
} from "../model/checkpoint_manifest.ts";
import { declaredModel } from "../model/declared_model.ts";
import {
  type DeclaredModel,
  declaredModelSchema,
} from "../model/model_facts_schema.ts";
import { ModelRefusal } from "../model/model_refusal.ts";
import { differing, malformed } from "./contradictions.ts";

/** What of a declared model no trial declares, or null. */
export function modelContradiction(
  found: JsonObject,
  coreTrial: boolean,
): Contradiction | null {
  const parsed = declaredModelSchema.safeParse(found);
  if (!parsed.success) {
    return malformed(
      "No trial declares such a model",
      "model",
      parsed.error,
      found,
    );
  }
  const { pinned, agreed_to, acquisition } = parsed.data;
  if (coreTrial && !pinned) {
    return {
      message: "A core trial is one with the lab's own checkpoint",
      field: "model.pinned",
      expected: "true",
      found: "false",
    };
  }
  if (coreTrial !== (acquisition !== null)) {
    return {
      message: "A core trial, and no other run, tells its model's acquisition",
      field: "model.acquisition",
      expected: coreTrial ? "an object" : "null",
      found: coreTrial ? "null" : "an object",
    };
  }
  try {
    const expected = {
      ...declaredModel(checkpointOf(parsed.data)),
      agreed_to,
      acquisition,
    };
    return differing(
      "The model isn't declared as a trial declares it",
      expected,
      found,
      "model",
    );
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    return {
      message: "No checkpoint can be declared so",
      field: "model",
      found: error.message,
    };
  }
}

/** The checkpoint that a manifest declares. */
function checkpointOf(model: DeclaredModel): CheckpointManifest {
  if (model.pinned) return PINNED_CHECKPOINT;
  const { label, repository, revision, license, files, token_ids } = model;
  const declared = withoutNulls({ label, repository, revision, license });
  const text = JSON.stringify({
    ...declared,
    files: files.map(withoutNulls),
    token_ids,
  });
  return readCheckpointManifest(new TextEncoder().encode(text));
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null),
  );
}
