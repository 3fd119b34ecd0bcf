// Lab Part 10: token counts. What a source tells about an attempt has the
// source's own shape; what isn't told, or has another type, stays unknown.

import type { JsonObject } from "../agent/json.ts";
import type { Attempt } from "../agent/source.ts";
import { counted } from "../system/counted.ts";

/** Tokens of one generation, as the source told them. */
export interface TokenFacts {
  readonly input: number;
  /** Input tokens whose keys and values the call before had computed. */
  readonly reused: number;
  readonly output: number;
  /** Whether generation ended for want of tokens; the text may be cut. */
  readonly ceilingReached: boolean;
  readonly inputIds: readonly number[] | null;
  readonly outputIds: readonly number[] | null;
}

/** The tokens of an attempt; null where its source has none. */
export function tokenFacts(attempt: Attempt | undefined): TokenFacts | null {
  const facts: JsonObject = attempt?.source_facts ?? {};
  const { input_tokens: input, output_tokens: output } = facts;
  if (!isCount(input) || !isCount(output)) return null;
  const reused = facts["reused_tokens"];
  return {
    input,
    reused: isCount(reused) ? reused : 0,
    output,
    ceilingReached: facts["ceiling_reached"] === true,
    inputIds: idsOf(facts["input_ids"]),
    outputIds: idsOf(facts["raw_output_ids"]),
  };
}

/** Token counts in a few words. */
export function tokenWords(tokens: TokenFacts): string {
  const { input, reused, output, ceilingReached } = tokens;
  return `${counted(input, "token")} in${
    reused > 0 ? `, ${reused} of them reused` : ""
  }` +
    `, ${output} out${ceilingReached ? "; the token ceiling was reached" : ""}`;
}

function idsOf(value: unknown): readonly number[] | null {
  return Array.isArray(value) && value.every(isCount) ? value : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
