// Facts can't be derived. Still, most that nobody ever saw are impossible: a
// fault that names no step, a stop word where only the deadline speaks, a
// scripted proposal that isn't in the script.

import baseline from "../../fixtures/baseline.json" with { type: "json" };
import { keepProposal, proposalBytes } from "../agent/proposal_bytes.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Attempt } from "../agent/source.ts";
import type { Contradiction, WitnessedEvent } from "../agent/witness.ts";
import type { EditFault, FileChange, WorkspaceFound } from "./lab_events.ts";

/** What a fact is judged by beside itself. */
export interface FactContext {
  /** The run's proposal source. */
  readonly source: string;
  /** Digests that the managed files have by the receipts so far. */
  readonly expected: Readonly<Record<FileChange["file"], string>>;
  /** Whether an edit's outcome is still open. */
  readonly editOpen: boolean;
}

/** Why a fact can't have been told, or null. */
export function factContradiction(
  fact: WitnessedEvent,
  context: FactContext,
): Contradiction | null {
  const { event, content } = fact;
  switch (event) {
    case "model_loaded":
    case "tokens_counted":
      return measures(context.source)
        ? null
        : impossible(`No model takes part in a ${context.source} run`, "event");
    case "proposal_received":
      return attemptContradiction(fact, content as Attempt, context.source);
    case "stop_requested":
      return fact.at?.endsWith("_evaluation") &&
          content["stop"] !== "run_expired"
        ? impossible(
          "Only the run's own deadline ends an evaluation",
          "content.stop",
          "run_expired",
          content["stop"],
        )
        : null;
    case "file_changed":
      return changeContradiction(content as FileChange, "content", context);
    case "edit_fault":
      return faultContradiction(content as EditFault, fact.at);
    case "workspace_found":
      return foundContradiction(content as WorkspaceFound, context);
    default:
      return null;
  }
}

/** Whether a source counts tokens. */
function measures(source: string): boolean {
  return tells(source) || source === "scenario";
}

/** Whether a source tells facts of its own. */
function tells(source: string): boolean {
  return source === "model" || source === "recorded";
}

function attemptContradiction(
  { proposal_number: number }: WitnessedEvent,
  attempt: Attempt,
  source: string,
): Contradiction | null {
  const { proposal_text: text, proposal_base64: base64, failed } = attempt;
  if (text !== undefined && base64 !== undefined) {
    return impossible("A proposal has one form only", "content");
  }
  if (text === undefined && base64 === undefined && failed === undefined) {
    return impossible(
      "Neither a proposal nor a reason why there is none",
      "content",
    );
  }
  if (
    base64 !== undefined && !("proposal_base64" in keepProposal(
      proposalBytes(attempt),
    ))
  ) {
    return impossible(
      "The bytes are UTF-8 and so are kept as text",
      "content.proposal_base64",
    );
  }
  if (attempt.source_facts !== undefined && !tells(source)) {
    return impossible(
      `A ${source} source tells nothing of itself`,
      "content.source_facts",
    );
  }
  const scripted = baseline[(number ?? 0) - 1];
  if (source === "scripted" && failed === undefined && text !== scripted) {
    return impossible(
      "It isn't the baseline's proposal",
      "content.proposal_text",
      scripted ?? "none",
      text ?? base64,
    );
  }
  return null;
}

function changeContradiction(
  { file, finding, sha256 }: FileChange,
  path: string,
  { expected }: FactContext,
): Contradiction | null {
  if ((finding === "bytes_changed") !== (sha256 !== null)) {
    return impossible(
      "A digest is found where bytes were changed, and only there",
      `${path}.sha256`,
    );
  }
  return sha256 === expected[file]
    ? impossible(
      "The digest is the recorded one: nothing was changed",
      `${path}.sha256`,
    )
    : null;
}

/** The faults that each step of an edit can have. */
const FAULT_CAUSES: Readonly<Record<EditFault["step"], readonly string[]>> = {
  backup: ["io"],
  temporary: ["io"],
  recheck: [
    "io",
    "target_changed",
    "cancelled",
    "call_expired",
    "run_expired",
  ],
  rename: ["io"],
  sync: ["io"],
  read_back: ["io", "target_changed"],
};

function faultContradiction(
  { step, cause, error }: EditFault,
  at: string | null,
): Contradiction | null {
  if ((step === "backup") !== (at === "backup")) {
    return impossible("The step isn't at this place", "content.step");
  }
  if (!FAULT_CAUSES[step].includes(cause)) {
    return impossible("The step has no such fault", "content.cause");
  }
  return (cause === "io") !== (error !== null)
    ? impossible(
      "The system's code belongs to an I/O fault, and to no other",
      "content.error",
    )
    : null;
}

function foundContradiction(
  { bytes, change }: WorkspaceFound,
  context: FactContext,
): Contradiction | null {
  if (bytes !== "other" && change !== null) {
    return impossible("Intact files have no change", "content.change");
  }
  if (bytes === "after" && !context.editOpen) {
    return impossible("No edit was open", "content.bytes");
  }
  return change === null
    ? null
    : changeContradiction(change, "content.change", context);
}

function impossible(
  message: string,
  field: string,
  expected?: JsonObject[string] | undefined,
  found?: JsonObject[string] | undefined,
): Contradiction {
  return {
    message,
    field,
    ...(expected === undefined ? {} : { expected: JSON.stringify(expected) }),
    ...(found === undefined ? {} : { found: JSON.stringify(found) }),
  };
}
