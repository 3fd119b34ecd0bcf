// What the lab's submission needs, out of a run's view.

import type { JsonObject } from "../agent/json.ts";
import type { ProposalView, RunView } from "../evidence/run_view.ts";
import type {
  SubmittedProposal,
  SubmittedRun,
} from "../lab/submission/submitted_run.ts";

/** What a submission says of a run beside its view. */
export interface RunPlace {
  /** Its folder as typed. */
  readonly name: string;
  /** Path of its audit, relative to the submission. */
  readonly audit: string;
  /** First thing that its verification found to differ, as a clause. */
  readonly fault: string | null;
}

/** One run of a submission. */
export function submittedRun(
  view: RunView,
  { name, audit, fault }: RunPlace,
): SubmittedRun {
  const { manifest, proposals, opening, closing, stop, final } = view;
  const records = [
    ...opening,
    ...proposals.flatMap(({ records }) => records),
    ...closing,
  ];
  return {
    name,
    audit,
    runId: manifest.run_id,
    source: manifest.proposal_source,
    coreTrial: manifest.core_trial,
    extension: manifest.extension,
    optIn: manifest.authority.opt_in,
    created: manifest.created,
    runtime: manifest.runtime,
    model: manifest.model,
    enforced: manifest.enforced,
    digests: manifest.digests,
    initialFiles: manifest.initial_files,
    proposals: proposals.map(submittedProposal),
    events: records.map(({ event_id, event, proposal_number, content }) => ({
      eventId: event_id,
      event,
      proposalNumber: proposal_number,
      content,
    })),
    stop,
    final: final as unknown as JsonObject | null,
    holds: fault === null && view.findings.length === 0,
    fault: fault ?? view.findings[0]?.message ?? null,
  };
}

function submittedProposal(
  { number, attempt, admitted, answer, tokens }: ProposalView,
): SubmittedProposal {
  const { proposal_text, proposal_base64, failed, detail } = attempt?.attempt ??
    {};
  return {
    number,
    received: attempt === null ? null : {
      eventId: attempt.eventId,
      text: proposal_text ?? null,
      base64: proposal_base64 ?? null,
      failed: failed ?? null,
      detail: detail ?? null,
    },
    action: admitted?.action ?? null,
    answer: answer === null ? null : {
      eventId: answer.eventId,
      observation: answer.observation,
      counts: answer.counts,
    },
    tokens,
  };
}
