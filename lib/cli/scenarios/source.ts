// The source of a scenario: fixed attempts, and a tokenizer that counts what the
// scenario says.

import type { Gate } from "../../agent/gate.ts";
import { keepProposal } from "../../agent/proposal_bytes.ts";
import type { Attempt, Source, TokenCount } from "../../agent/source.ts";
import { type RunScenario, scenarioBytes } from "./format.ts";
import type { Stage } from "./stage.ts";

/**
 * A source that brings a scenario's attempts in order, and is cancelled when
 * they run out.
 */
export function scenarioSource(
  { attempts, token_counts: counts }: Pick<
    RunScenario,
    "attempts" | "token_counts"
  >,
  stage: Stage,
): Source {
  const source: Source = {
    propose: ({ proposalNumber }, gate) => {
      stage.reach("during_generation");
      const unanswered = supervised(gate);
      if (unanswered !== null) return Promise.resolve(unanswered);
      stage.reach("late_proposal");
      const attempt = attempts[proposalNumber - 1];
      if (attempt === undefined) {
        return Promise.resolve({
          failed: "cancelled",
          detail: "The scenario has no further attempt",
          elapsed_ms: 0,
        });
      }
      return Promise.resolve(
        typeof attempt === "object" && "failed" in attempt
          ? { ...attempt, elapsed_ms: 0 }
          : { ...keepProposal(scenarioBytes(attempt)), elapsed_ms: 0 },
      );
    },
  };
  if (counts === undefined) return source;
  let asked = 0;
  const countTokens = (): Promise<TokenCount> => {
    const count = counts[Math.min(asked++, counts.length - 1)]!;
    return Promise.resolve(
      typeof count === "number"
        ? { tokens: count }
        : { ...count, elapsed_ms: 0 },
    );
  };
  return { ...source, countTokens };
}

/** What the supervisor answers in the source's place once a run must stop. */
function supervised(gate: Gate): Attempt | null {
  const word = gate.stop();
  if (word === null) return null;
  return word === "cancelled"
    ? { failed: "cancelled", elapsed_ms: 0 }
    : { failed: "time_limit", detail: word, elapsed_ms: 0 };
}
