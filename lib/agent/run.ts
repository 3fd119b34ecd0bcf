// One run: the loop, then the evaluation, then the terminal record. How it
// stopped and what the final state is worth stay two facts (lab Part 9).

import { type LoopParts, type LoopProgress, runLoop } from "./loop.ts";
import type { JsonObject } from "./json.ts";

/** What the manifest says about a run and the final report repeats. */
export interface RunIdentity {
  readonly runId: string;
  readonly task: string;
  readonly source: string;
  readonly coreTrial: boolean;
  readonly extension: string | null;
}

/**
 * Conducts a run from its first request to its terminal record.
 *
 * @returns The final report's content, without the audit's head and count.
 * @throws What the recorder throws.
 */
export async function conductRun<
  Action extends JsonObject,
  Stop extends string,
>(
  parts: LoopParts<Action, Stop>,
  identity: RunIdentity,
  progress: LoopProgress<Stop>,
): Promise<JsonObject> {
  const { recorder, task } = parts;
  const stop = await runLoop(parts, progress);
  const evaluation = recorder.timed("evaluation", () => task.evaluate(stop));
  const times = recorder.fact("times_measured", "end", () => ({
    elapsed_ms: recorder.elapsedMs(),
  }));
  const ended = finalContent(identity, progress, evaluation, {
    recovered: false,
    elapsed_ms: times?.elapsed_ms ?? {},
  });
  recorder.derived("run_ended", ended);
  return ended;
}

/** The final report's content, from its parts. */
export function finalContent(
  identity: RunIdentity,
  progress: LoopProgress,
  evaluation: JsonObject,
  rest: { readonly recovered: boolean; readonly elapsed_ms: JsonObject },
): JsonObject {
  return {
    run_id: identity.runId,
    task: identity.task,
    source: identity.source,
    core_trial: identity.coreTrial,
    extension: identity.extension,
    stop_reason: progress.stop,
    detail: progress.detail,
    proposals: progress.proposals,
    invalid_proposals: progress.invalidProposals,
    model_calls: identity.source === "model" ? progress.proposals : 0,
    ...evaluation,
    ...rest,
  };
}
