// Two runs side by side for machines: the same facts as the text's rows, as
// values instead of words.

import type { JsonObject } from "../agent/json.ts";
import { type Comparison, refusedCount } from "./comparison.ts";
import { answeredBy } from "./proposal_words.ts";
import type { ProposalView, RunView } from "./run_view.ts";
import type { TaskWords } from "./task_words.ts";

/** Version of the comparison's format. */
export const COMPARISON_VERSION = 1;

/** A comparison as JSON with stable field names; the runs in their order. */
export function comparisonJson(
  { differingConditions }: Comparison,
  runs: readonly [RunView, RunView],
  words: TaskWords,
): JsonObject {
  return {
    format: "tinycoder/comparison",
    format_version: COMPARISON_VERSION,
    same_conditions: differingConditions.length === 0,
    differing_conditions: [...differingConditions],
    runs: runs.map((view) => runJson(view, words)),
  };
}

function runJson(view: RunView, words: TaskWords): JsonObject {
  const { manifest, state, stop, final, proposals, audit, findings } = view;
  const scores = final === null ? [] : words.scores(final as JsonObject);
  const evaluation = final?.["final_evaluation"];
  return {
    run_id: manifest.run_id,
    source: manifest.proposal_source,
    core_trial: manifest.core_trial,
    extension: manifest.extension,
    created: manifest.created,
    state,
    stop: stop === null ? null : { ...stop },
    final_evaluation: typeof evaluation === "string" ? evaluation : null,
    scores: scores.map(({ name, score }) => ({
      name,
      passed: score?.passed ?? null,
      total: score?.total ?? null,
    })),
    verified_success: final?.verified_success ?? null,
    proposals: proposals.map((proposal) => proposalJson(proposal, words)),
    refused: refusedCount(proposals),
    model_calls: final?.model_calls ?? null,
    tokens: tokensJson(proposals),
    elapsed_ms: final?.elapsed_ms ?? null,
    records: audit.count,
    findings: findings.map((finding) => ({ ...finding })),
  };
}

function proposalJson(proposal: ProposalView, words: TaskWords): JsonObject {
  const { number, admitted, answer } = proposal;
  const { kind } = answeredBy(proposal, words);
  const error = answer?.observation["error"];
  return {
    number,
    outcome: kind,
    action: admitted === null ? null : admitted.action,
    error: typeof error === "string" ? error : null,
  };
}

function tokensJson(proposals: readonly ProposalView[]): JsonObject | null {
  const tokens = proposals.flatMap((one) => one.tokens ?? []);
  return tokens.length === 0 ? null : {
    input: tokens.reduce((sum, { input }) => sum + input, 0),
    output: tokens.reduce((sum, { output }) => sum + output, 0),
  };
}
