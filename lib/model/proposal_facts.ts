// Lab Part 10: what of a generation's record follows from its own ids, so that
// verification can compute it again without a tokenizer or a network.

import { type Sha256, sha256 } from "../system/sha256.ts";
import { keptIds, reusableTokens } from "./prefix_prefill.ts";
import type { ProposalFacts } from "./worker_protocol.ts";

/** SHA-256 over ids as 32-bit little-endian integers. */
export function inputDigest(ids: readonly number[]): Sha256 {
  const bytes = new DataView(new ArrayBuffer(4 * ids.length));
  ids.forEach((id, index) => bytes.setUint32(4 * index, id, true));
  return sha256(new Uint8Array(bytes.buffer));
}

/** What a generation's facts follow from, beside its ids. */
export interface GenerationContext {
  readonly weightsSha256: string;
  /** Token ids that end a generation. */
  readonly endIds: readonly number[];
  /** Input ids of the call before; empty for the first. */
  readonly idsBefore: readonly number[];
}

/** A generation's facts, with everything that follows from its ids. */
export function followingFacts(
  told: ProposalFacts,
  { weightsSha256, endIds, idsBefore }: GenerationContext,
): ProposalFacts {
  const { input_ids: input, raw_output_ids: output } = told;
  const last = output.at(-1);
  return {
    ...told,
    weights_sha256: weightsSha256,
    input_tokens: input.length,
    input_sha256: inputDigest(input),
    reused_tokens: reusableTokens(keptIds(idsBefore), input),
    output_tokens: output.length,
    ceiling_reached: last === undefined || !endIds.includes(last),
  };
}
