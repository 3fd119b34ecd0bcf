// Lab Part 10, question 3: where a failure originated, by the code that the
// evidence carries.

import { DENIALS, PROPOSAL_DENIALS } from "../contract/denial_codes.ts";
import type { SubmittedProposal } from "./submitted_run.ts";

/** The lab's places of origin. */
export type Origin =
  | "generation"
  | "schema adherence"
  | "permission checks"
  | "editing"
  | "testing"
  | "resource limits";

/** A proposal that came to no success. */
export interface Failure {
  readonly proposal: SubmittedProposal;
  readonly code: string;
  /** What the code means; null for one that this program doesn't know. */
  readonly meaning: string | null;
  readonly origin: Origin;
}

/** Codes by which an action is refused for what it asks to touch or to use. */
const PERMISSION_CODES = new Set([
  "forbidden_file",
  "unknown_function",
  "expression_forbidden_node",
  "unknown_name",
  "workspace_conflict",
]);

const LIMIT_CODES = new Set([
  "proposal_too_large",
  "observation_limit",
  "expression_limit",
  "time_limit",
  "cancelled",
]);

/** What failed, in the order of the proposals. */
export function failures(
  proposals: readonly SubmittedProposal[],
): readonly Failure[] {
  return proposals.flatMap((proposal) => {
    const code = failureCode(proposal);
    return code === null ? [] : [{
      proposal,
      code,
      meaning: Object.hasOwn(DENIALS, code)
        ? DENIALS[code as keyof typeof DENIALS]
        : null,
      origin: originOf(code),
    }];
  });
}

/** Why a proposal came to no success; null where it was carried out. */
export function failureCode(
  { received, answer }: SubmittedProposal,
): string | null {
  if (answer !== null) {
    return answer.observation["ok"] === true
      ? null
      : String(answer.observation["error"]);
  }
  return received?.failed ?? "not_answered";
}

function originOf(code: string): Origin {
  if (PERMISSION_CODES.has(code)) return "permission checks";
  if (LIMIT_CODES.has(code)) return "resource limits";
  if (Object.hasOwn(PROPOSAL_DENIALS, code)) return "schema adherence";
  if (code === "tests_not_passing") return "testing";
  if (code === "model_error" || code === "not_answered") return "generation";
  return "editing";
}
