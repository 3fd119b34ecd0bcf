// Schemas of the lab task's events, for whoever reads evidence.

import { z } from "../system/zod.ts";

/** A SHA-256, as events and observations have it. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A source version. */
export const version = z.int().min(0).max(6);
/** The function that an edit or a case is of. */
export const functionName = z.enum(["clamp", "total"]);
const change = z.strictObject({
  file: z.enum(["TASK.txt", "toy_math.py"]),
  finding: z.enum([
    "missing",
    "not_regular",
    "extra_link",
    "folder_moved",
    "swapped",
    "too_large",
    "bytes_changed",
  ]),
  sha256: sha256.nullable(),
});
const caseFields = {
  function: functionName,
  inputs: z.array(z.int()),
  expected: z.int(),
};

/** One case's result: what came out, or why nothing did. */
export const caseResult = z.union([
  z.strictObject({ ...caseFields, actual: z.int() }),
  z.strictObject({ ...caseFields, error: z.string() }),
]);

/** How a final evaluation went. */
export const evaluationStatus = z.enum([
  "performed",
  "unperformed",
  "deadline",
  "interrupted",
  "unsafe",
  "workspace_conflict",
]);

/** Facts of the lab task. */
export const LAB_FACTS = {
  file_changed: change,
  edit_fault: z.strictObject({
    step: z.enum([
      "backup",
      "temporary",
      "recheck",
      "rename",
      "sync",
      "read_back",
    ]),
    cause: z.enum([
      "cancelled",
      "call_expired",
      "run_expired",
      "target_changed",
      "io",
    ]),
    error: z.string().nullable(),
    found: z.enum(["before", "after", "other"]),
  }),
  workspace_found: z.strictObject({
    bytes: z.enum(["before", "after", "other"]),
    change: change.nullable(),
  }),
} as const;

/** Derived events of the lab task. */
export const LAB_DERIVED = {
  observations_omitted: z.strictObject({
    event_ids: z.array(z.int().nonnegative()),
    kind: z.enum(["read", "test", "error", "no_change"]),
  }),
  edit_intent: z.strictObject({
    function: functionName,
    old_version: version,
    before: sha256,
    after: sha256,
    backup: z.string(),
    temporary: z.string(),
  }),
  edit_committed: z.strictObject({
    version,
    sha256,
    reconciled: z.boolean(),
  }),
  edit_abandoned: z.strictObject({ version, sha256, cause: z.string() }),
  final_evaluation: z.strictObject({
    status: evaluationStatus,
    version,
    sha256: sha256.nullable(),
    cases: z.array(caseResult),
  }),
} as const;
