// Lab Part 5: what the controller answers, and its cap. An observation that
// doesn't fit stops the run; safety-relevant fields are never dropped.

import type { Counts, LoopStop, Outcome } from "../agent/task.ts";
import type { JsonObject } from "../agent/json.ts";
import type { DenialCode } from "./contract/denial_codes.ts";
import type { LabStop } from "./lab_stop.ts";

/** Most UTF-8 bytes of one observation's JSON. */
export const MAX_OBSERVATION_BYTES = 2_048;

/** An outcome of the lab task. */
export type LabOutcome = Outcome<LabStop>;

/** An answer to an action that was carried out. */
export function success(
  observation: JsonObject,
  stop?: LabStop,
): LabOutcome {
  const counts: Counts = "valid";
  return bounded(
    stop === undefined
      ? { observation, counts }
      : { observation, counts, stop },
  );
}

/** What a refusal says. */
export interface Refusal {
  readonly action?: string | undefined;
  readonly error: DenialCode;
  readonly message: string;
  readonly version: number;
}

/** A refused action or proposal; it counts toward the invalid ones. */
export function refusal(refused: Refusal): LabOutcome {
  return bounded({ observation: refusedFields(refused), counts: "invalid" });
}

/** A refusal that ends the run and blames neither proposal nor source. */
export function stopped(
  refused: Refusal,
  stop: LabStop | LoopStop,
  detail?: string,
): LabOutcome {
  const outcome: LabOutcome = {
    observation: refusedFields(refused),
    counts: "neutral",
    stop,
  };
  return detail === undefined ? outcome : { ...outcome, detail };
}

function refusedFields({ action, error, message, version }: Refusal) {
  return action === undefined
    ? { ok: false, error, message, version }
    : { ok: false, action, error, message, version };
}

/** Puts `observation_limit` in place of an observation over the cap. */
export function bounded(outcome: LabOutcome): LabOutcome {
  const { observation } = outcome;
  const bytes = new TextEncoder().encode(JSON.stringify(observation)).length;
  if (bytes <= MAX_OBSERVATION_BYTES) return outcome;
  const { action, version } = observation;
  return stopped({
    action: typeof action === "string" ? action : undefined,
    error: "observation_limit",
    message: `The observation would take ${bytes} bytes; the most is ` +
      `${MAX_OBSERVATION_BYTES}`,
    version: typeof version === "number" ? version : 0,
  }, "observation_limit");
}
