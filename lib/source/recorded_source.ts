// Proposals of an earlier run, by their numbers. What else that run was told
// (token counts, stop words, files found changed) isn't a source's to say.

import type { Attempt, Source } from "../agent/source.ts";

/** An attempt that an earlier run recorded, and its proposal's number. */
export interface RecordedAttempt {
  readonly proposalNumber: number;
  readonly attempt: Attempt;
}

/** A source that offers what was offered at the same number before. */
export function recordedSource(
  recorded: Iterable<RecordedAttempt>,
): Source {
  const attempts = new Map<number, Attempt>();
  for (const { proposalNumber, attempt } of recorded) {
    attempts.set(proposalNumber, attempt);
  }
  return {
    propose: ({ proposalNumber }) =>
      Promise.resolve(
        attempts.get(proposalNumber) ?? {
          failed: "cancelled",
          detail: "The recorded run has no such proposal",
          elapsed_ms: 0,
        },
      ),
  };
}
