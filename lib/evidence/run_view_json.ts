// A run's view for machines: everything that the text shows, and no more.

import type { JsonObject } from "../agent/json.ts";
import type { ProposalView, RunView } from "./run_view.ts";

/** Version of the view's format. */
export const RUN_VIEW_VERSION = 1;

/** A run's view as JSON with stable field names. */
export function runViewJson(view: RunView): JsonObject {
  const { manifest, state, proposals, stop, final, audit, recovery } = view;
  return {
    format: "tinycoder/run-view",
    format_version: RUN_VIEW_VERSION,
    state,
    manifest: { ...manifest },
    manifest_sha256: view.manifestSha256,
    proposals: proposals.map(proposalJson),
    stop: stop === null ? null : { ...stop },
    final: final === null ? null : { ...final } as JsonObject,
    audit: { ...audit },
    tail: { ...view.tail },
    recovery: recovery === null ? null : { ...recovery },
    findings: view.findings.map((finding) => ({ ...finding })),
  };
}

function proposalJson(proposal: ProposalView): JsonObject {
  const { number, request, attempt, admitted, answer, discarded, tokens } =
    proposal;
  return {
    number,
    elapsed_ms: proposal.elapsedMs,
    tokens: tokens === null ? null : {
      input: tokens.input,
      reused: tokens.reused,
      output: tokens.output,
      ceiling_reached: tokens.ceilingReached,
    },
    request: request === null
      ? null
      : { event_id: request.eventId, messages: request.messages },
    attempt: attempt === null
      ? null
      : { event_id: attempt.eventId, ...attempt.attempt },
    action: admitted === null
      ? null
      : { event_id: admitted.eventId, ...admitted.action },
    answer: answer === null ? null : {
      event_id: answer.eventId,
      counts: answer.counts,
      observation: answer.observation,
    },
    discarded: discarded === null ? null : {
      event_id: discarded.eventId,
      stop_reason: discarded.stopReason,
    },
    events: proposal.records.map(({ event_id, event }) => ({
      event_id,
      event,
    })),
  };
}
