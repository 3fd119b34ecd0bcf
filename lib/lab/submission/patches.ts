// Lab Part 10, question 4: what each committed version is worth, evaluated now
// by the same interpreter from the expressions that its receipt recorded.

import type { JsonObject } from "../../agent/json.ts";
import { HELD_OUT_CASES, PUBLIC_CASES } from "../cases.ts";
import { admitExpression } from "../expression/admit_expression.ts";
import {
  type CaseResult,
  evaluateCases,
} from "../expression/evaluate_cases.ts";
import type { SubmittedProposal } from "./submitted_run.ts";

/** One committed version. */
export interface Patch {
  readonly proposal: SubmittedProposal;
  readonly version: number;
  readonly target: string;
  readonly expression: string;
  /** Cases that fail, of each kind; null where an expression isn't admitted. */
  readonly failing: {
    readonly public: readonly CaseResult[];
    readonly held_out: readonly CaseResult[];
  } | null;
}

/** The versions that a run committed, in order. */
export function patches(
  proposals: readonly SubmittedProposal[],
): readonly Patch[] {
  return proposals.flatMap((proposal) => {
    const observation = proposal.answer?.observation;
    if (observation?.["status"] !== "edit_committed") return [];
    const expressions = observation["expressions"] as JsonObject;
    const target = String(observation["function"]);
    return [{
      proposal,
      version: Number(observation["version"]),
      target,
      expression: String(expressions[target]),
      failing: failing(expressions),
    }];
  });
}

/** A failing case in words. */
export function caseText(result: CaseResult): string {
  const { inputs, expected } = result;
  const actual = "actual" in result ? result.actual : result.error;
  return `${result.function}(${
    inputs.join(", ")
  }) is ${actual}, not ${expected}`;
}

function failing(texts: JsonObject): Patch["failing"] {
  const clamp = admitExpression("clamp", String(texts["clamp"]));
  const total = admitExpression("total", String(texts["total"]));
  if (!clamp.ok || !total.ok) return null;
  const expressions = { clamp: clamp.expression, total: total.expression };
  const fails = (result: CaseResult) =>
    !("actual" in result) || result.actual !== result.expected;
  return {
    public: evaluateCases(expressions, PUBLIC_CASES).filter(fails),
    held_out: evaluateCases(expressions, HELD_OUT_CASES).filter(fails),
  };
}
