// Lab Part 9, the whole loop. It knows neither files nor models: the task
// decides what an action is, the source where proposals come from, the gate
// when to stop, and the recorder what the outside said.

import type { LoopDerived, LoopFacts } from "./events.ts";
import type { Gate } from "./gate.ts";
import type { JsonObject } from "./json.ts";
import { proposalBytes } from "./proposal_bytes.ts";
import type { Recorder } from "./recorder.ts";
import type { Source } from "./source.ts";
import type { LoopStop, Outcome, Task } from "./task.ts";

/** How far a loop came; the loop keeps it current, also where it throws. */
export interface LoopProgress<Stop extends string = string> {
  proposals: number;
  /** Refusals by contract or task, in all. */
  invalidProposals: number;
  /** The terminal state, once it is recorded. */
  stop: Stop | LoopStop | null;
  /** More about the stop: one trusted sentence, without paths. */
  detail: string | null;
}

/** Progress before the first proposal. */
export function noProgress<Stop extends string>(): LoopProgress<Stop> {
  return { proposals: 0, invalidProposals: 0, stop: null, detail: null };
}

/** What a loop works with. */
export interface LoopParts<Action extends JsonObject, Stop extends string> {
  readonly task: Task<Action, Stop>;
  readonly source: Source;
  readonly gate: Gate;
  readonly recorder: Recorder<LoopFacts, LoopDerived>;
}

/**
 * Asks for proposals until a terminal state, which it leaves in `progress`.
 *
 * @throws Only what the recorder throws: evidence that can't be written ends
 * the run without another word.
 */
export async function runLoop<Action extends JsonObject, Stop extends string>(
  parts: LoopParts<Action, Stop>,
  progress: LoopProgress<Stop>,
): Promise<Stop | LoopStop> {
  const { recorder } = parts;
  let ended: Ended<Stop>;
  try {
    ended = await attempts(parts, progress);
  } catch (error) {
    const fault = recorder.fact("harness_fault", "loop", () => named(error));
    if (fault === null) throw error;
    ended = { stop: "harness_error", detail: fault.error };
  }
  recorder.proposalNumber = 0;
  const { stop, detail = null } = ended;
  recorder.derived("loop_stopped", {
    stop_reason: stop,
    detail,
    proposals: progress.proposals,
    invalid_proposals: progress.invalidProposals,
  });
  progress.stop = stop;
  progress.detail = detail;
  return stop;
}

interface Ended<Stop extends string> {
  readonly stop: Stop | LoopStop;
  readonly detail?: string | undefined;
}

async function attempts<Action extends JsonObject, Stop extends string>(
  parts: LoopParts<Action, Stop>,
  progress: LoopProgress<Stop>,
): Promise<Ended<Stop>> {
  const { task, source, gate, recorder } = parts;
  const loaded = await recorder.factLater(
    "model_loaded",
    "start",
    async () => {
      const load = source.load?.bind(source);
      if (load === undefined) return null;
      return await recorder.timedLater("load", () => load(gate));
    },
  );
  if (loaded?.failed) return { stop: loaded.failed, detail: loaded.detail };

  let consecutiveInvalid = 0;
  while (progress.proposals < task.limits.proposals) {
    recorder.proposalNumber = progress.proposals + 1;
    const proposed = await obtainProposal(parts, progress);
    if ("stop" in proposed) return proposed;
    const outcome = await answerProposal(parts, proposed.bytes);
    if ("ended" in outcome) return outcome.ended;

    const { observation, counts, stop, detail } = outcome;
    const event = recorder.derived("observation_made", { observation, counts });
    task.remember(outcome, event);
    if (counts === "valid") consecutiveInvalid = 0;
    if (counts === "invalid") {
      consecutiveInvalid++;
      progress.invalidProposals++;
    }
    if (stop) return { stop, detail };
    if (consecutiveInvalid === task.limits.invalid) {
      return { stop: "invalid_proposal_limit" };
    }
  }
  return { stop: "proposal_limit" };
}

/** Assembles a request and waits for what the source makes of it. */
async function obtainProposal<
  Action extends JsonObject,
  Stop extends string,
>(
  { task, source, gate, recorder }: LoopParts<Action, Stop>,
  progress: LoopProgress<Stop>,
): Promise<Ended<Stop> | { readonly bytes: Uint8Array }> {
  const early = stopAt(gate, recorder, "before_request");
  if (early) return early;
  const assembled = await task.assemble((messages) =>
    recorder.factLater("tokens_counted", "assembly", async () => {
      const countTokens = source.countTokens?.bind(source);
      if (countTokens === undefined) return null;
      return await recorder.timedLater("counting", () => countTokens(messages));
    })
  );
  if ("stop" in assembled) return assembled;
  const { messages } = assembled;
  recorder.derived("request_assembled", { messages });

  // From here on the attempt counts, whatever becomes of it.
  const proposalNumber = ++progress.proposals;
  const attempt = await recorder.factLater(
    "proposal_received",
    "generation",
    () => {
      gate.beginCall();
      return recorder.timedLater(
        "generation",
        () => source.propose({ proposalNumber, messages }, gate),
      );
    },
  );
  if (attempt === null) throw new Error("The source left without an attempt");
  if (attempt.failed) return { stop: attempt.failed, detail: attempt.detail };
  const late = stopAt(gate, recorder, "after_generation");
  gate.endCall();
  if (late === null) return { bytes: proposalBytes(attempt) };
  recorder.derived("proposal_discarded", { stop_reason: late.stop });
  return late;
}

/** Judges a proposal's bytes and carries out what passes. */
async function answerProposal<
  Action extends JsonObject,
  Stop extends string,
>(
  { task, gate, recorder }: LoopParts<Action, Stop>,
  bytes: Uint8Array,
): Promise<Outcome<Stop> | { readonly ended: Ended<Stop> }> {
  const verdict = recorder.timed("validation", () => task.admit(bytes));
  if ("refused" in verdict) return verdict.refused;
  recorder.derived("proposal_admitted", { action: verdict.action });
  const ended = stopAt(gate, recorder, "before_dispatch");
  return ended === null ? await task.perform(verdict.action) : { ended };
}

/** What the gate says at one of the lab's check points. */
function stopAt(
  gate: Gate,
  recorder: Recorder<LoopFacts, LoopDerived>,
  at: string,
): Ended<never> | null {
  const asked = recorder.fact("stop_requested", at, () => {
    const stop = gate.stop();
    return stop === null ? null : { stop };
  });
  if (asked === null) return null;
  return asked.stop === "cancelled"
    ? { stop: "cancelled" }
    : { stop: "time_limit", detail: asked.stop };
}

/** An error as a fact: its kind and code only, since messages carry paths. */
function named(error: unknown): LoopFacts["harness_fault"] {
  if (!(error instanceof Error)) return { error: "unknown", message: "" };
  const { code } = error as { code?: unknown };
  return {
    error: typeof code === "string" ? code : error.name,
    message: error.name,
  };
}
