// One proposal as one ATIF agent step.

import type { JsonObject } from "../agent/json.ts";
import { jsonWords } from "../system/json_words.ts";
import type { Manifest } from "./manifest.ts";
import type { ProposalView } from "./run_view.ts";

/** One action as a function definition. */
export interface AtifTool extends JsonObject {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}

/** One proposal's step, without its number. */
export function atifStep(
  proposal: ProposalView,
  { proposal_source }: Manifest,
): JsonObject {
  const { number, attempt, records, tokens } = proposal;
  const text = attempt?.attempt.proposal_text;
  const model = proposal_source === "model";
  const received = records.find(({ event }) => event === "proposal_received");
  return {
    timestamp: (received ?? records[0])?.wall_time ?? "",
    source: "agent",
    message: text ?? "",
    ...calls(proposal),
    llm_call_count: model ? 1 : 0,
    ...model && tokens !== null
      ? {
        metrics: {
          prompt_tokens: tokens.input,
          completion_tokens: tokens.output,
          cached_tokens: tokens.reused,
          ...tokens.inputIds === null
            ? {}
            : { prompt_token_ids: tokens.inputIds },
          ...tokens.outputIds === null
            ? {}
            : { completion_token_ids: tokens.outputIds },
          extra: { ceiling_reached: tokens.ceilingReached },
        },
      }
      : {},
    extra: { proposal_number: number, ...about(proposal) },
  };
}

/** The admitted action as the one call, and what was answered. */
function calls({ number, admitted, answer }: ProposalView): JsonObject {
  const content = answer === null ? null : JSON.stringify(answer.observation);
  if (admitted === null) {
    return content === null ? {} : { observation: { results: [{ content }] } };
  }
  const { action, ...args } = admitted.action;
  const id = `proposal-${number}`;
  return {
    tool_calls: [{
      tool_call_id: id,
      function_name: jsonWords(action),
      arguments: args,
    }],
    ...content === null
      ? {}
      : { observation: { results: [{ source_call_id: id, content }] } },
  };
}

/** What the format has no place for. */
function about(
  { request, attempt, answer, discarded }: ProposalView,
): JsonObject {
  const { proposal_base64, failed, detail, elapsed_ms } = attempt?.attempt ??
    {};
  const observation = answer?.observation;
  return {
    request_event_id: request?.eventId ?? null,
    proposal_event_id: attempt?.eventId ?? null,
    observation_event_id: answer?.eventId ?? null,
    ...elapsed_ms === undefined ? {} : { elapsed_ms },
    ...proposal_base64 === undefined ? {} : { proposal_base64 },
    ...failed === undefined ? {} : { failed, detail: detail ?? null },
    ...discarded === null ? {} : { discarded: discarded.stopReason },
    ...observation === undefined || observation["ok"] === true ? {} : {
      error: observation["error"] ?? null,
      message: observation["message"] ?? null,
    },
  };
}
