// What the lab task adds to a final report, for whoever reads one. Verification
// derives these fields again from the records, and needs no schema of them.

import type { LoopStop } from "../agent/task.ts";
import { z } from "../system/zod.ts";
import { evaluationStatus, sha256, version } from "./lab_catalogue.ts";
import type { LabStop } from "./lab_stop.ts";

/** Every terminal state of a run of the lab task (lab Part 9). */
export const stopReason = z.enum(
  {
    finish_accepted: "finish_accepted",
    proposal_limit: "proposal_limit",
    invalid_proposal_limit: "invalid_proposal_limit",
    context_limit: "context_limit",
    observation_limit: "observation_limit",
    time_limit: "time_limit",
    cancelled: "cancelled",
    model_error: "model_error",
    workspace_conflict: "workspace_conflict",
    harness_error: "harness_error",
  } satisfies { [Stop in LabStop | LoopStop]: Stop },
);

const scoreFields = {
  passed: z.int().nonnegative(),
  total: z.int().nonnegative(),
};
const score = z.strictObject(scoreFields);

/** Fields of the lab task's final report, and its terminal states. */
export const LAB_FINAL_FIELDS = {
  stop_reason: stopReason,
  version,
  sha256: sha256.nullable(),
  last_public_test: z.strictObject({ version, sha256, ...scoreFields })
    .nullable(),
  finish: z.strictObject({ version, sha256 }).nullable(),
  public: score.nullable(),
  held_out: score.nullable(),
  final_evaluation: evaluationStatus,
} as const;
