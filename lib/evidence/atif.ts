// A run as an ATIF v1.7 trajectory (Agent Trajectory Interchange Format), which
// other tools' viewers read. The format forbids fields of one's own: what it has
// no place for goes under `extra`, what is unknown is left out.

import type { Json, JsonObject } from "../agent/json.ts";
import { jsonWords } from "../system/json_words.ts";
import { atifStep, type AtifTool } from "./atif_step.ts";
import type { RunView } from "./run_view.ts";

/** The version of the format that is written. */
export const ATIF_VERSION = "ATIF-v1.7";

/**
 * A run as one trajectory.
 *
 * @param tools The actions, as function definitions.
 */
export function atifTrajectory(
  view: RunView,
  tools: readonly AtifTool[],
): JsonObject {
  const { manifest, proposals } = view;
  const steps = [
    ...opening(view),
    ...proposals.map((proposal) => atifStep(proposal, manifest)),
    closing(view),
  ];
  return {
    schema_version: ATIF_VERSION,
    session_id: manifest.run_id,
    trajectory_id: manifest.run_id,
    agent: agent(view, tools),
    steps: steps.map((step, at) => ({ step_id: at + 1, ...step })),
    notes: NOTES,
    final_metrics: finalMetrics(view, steps.length),
    extra: evidence(view),
  };
}

const NOTES = "Every agent step was asked with one system and one user " +
  "message. Steps 1 and 2 are those of the first request; a later user " +
  "message holds the same text with further observations and the state then. " +
  "The exact ones are in the run's audit under extra.request_event_id.";

function agent(
  { manifest }: RunView,
  tools: readonly AtifTool[],
): JsonObject {
  const model = modelName(manifest.model);
  return {
    name: "tinycoder",
    version: jsonWords(manifest.runtime["tinycoder"] ?? "unknown"),
    ...model === null ? {} : { model_name: model },
    tool_definitions: tools.map((tool) => ({ ...tool })),
    extra: {
      proposal_source: manifest.proposal_source,
      core_trial: manifest.core_trial,
      extension: manifest.extension,
      limits: manifest.limits,
      runtime: manifest.runtime,
      model: manifest.model,
    },
  };
}

/** The model's name; null for a run without one. */
export function modelName(model: JsonObject | null): string | null {
  const name = model?.["repository"] ?? model?.["label"];
  return typeof name === "string" ? name : null;
}

/** The instruction, and the first request's user message. */
function opening({ manifest, proposals }: RunView): JsonObject[] {
  const request = proposals[0]?.request ?? null;
  const timestamp =
    proposals[0]?.records.find(({ event }) => event === "request_assembled")
      ?.wall_time ?? manifest.created;
  const messages = request?.messages ?? [
    { role: "system", content: manifest.prompt.system_instruction },
  ];
  return messages.map(({ role, content }) => ({
    timestamp,
    source: role,
    message: content,
  }));
}

/** How the run ended, without what the agent was never to see. */
function closing(view: RunView): JsonObject {
  const { stop, closing, manifest } = view;
  const record = closing.findLast(({ event }) => event === "loop_stopped");
  const message = stop === null
    ? "No terminal record: the run is unfinished."
    : `Stopped: ${stop.reason}` +
      (stop.detail === null ? "" : ` (${stop.detail})`);
  return {
    timestamp: record?.wall_time ?? manifest.created,
    source: "system",
    message,
    extra: {
      stop_reason: stop?.reason ?? null,
      event_id: record?.event_id ?? null,
    },
  };
}

function finalMetrics(
  { proposals }: RunView,
  totalSteps: number,
): JsonObject {
  const tokens = proposals.flatMap((one) => one.tokens ?? []);
  const sum = (values: readonly number[]) =>
    values.reduce((total, value) => total + value, 0);
  return tokens.length === 0 ? { total_steps: totalSteps } : {
    total_prompt_tokens: sum(tokens.map(({ input }) => input)),
    total_completion_tokens: sum(tokens.map(({ output }) => output)),
    total_cached_tokens: sum(tokens.map(({ reused }) => reused)),
    total_steps: totalSteps,
  };
}

/** Outcome and digests, held-out results among them. */
function evidence(view: RunView): JsonObject {
  const { manifest, state, final, audit, recovery, findings } = view;
  return {
    task: manifest.task,
    state,
    final: final as unknown as Json,
    digests: manifest.digests,
    manifest_sha256: view.manifestSha256,
    audit: { head: audit.head, count: audit.count },
    recovery: recovery === null
      ? null
      : { head: recovery.head, count: recovery.count },
    findings: findings.map((finding) => ({ ...finding })),
  };
}
