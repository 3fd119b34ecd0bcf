// Lab Part 7: fixed proposals, in order, through the same controller.

import type { Attempt, Source } from "../agent/source.ts";

/**
 * A source that offers these proposals one after the other and is cancelled
 * when they run out.
 */
export function scriptedSource(proposals: readonly string[]): Source {
  const next = proposals.values();
  return {
    propose: () => {
      const { done, value } = next.next();
      const attempt: Attempt = done
        ? {
          failed: "cancelled",
          detail: "The script has no further proposal",
          elapsed_ms: 0,
        }
        : { proposal_text: value, elapsed_ms: 0 };
      return Promise.resolve(attempt);
    },
  };
}
