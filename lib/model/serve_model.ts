// The worker's side of the conversation with the supervisor: one call at a
// time, in the order they arrive, an answer to each.

import { sentenceOf } from "./model_refusal.ts";
import type { OpenModel } from "./loaded_model.ts";
import { openModel } from "./open_model.ts";
import type { FromModelWorker, ToModelWorker } from "./worker_protocol.ts";

/** One end of a channel, such as a worker's global scope. */
export interface ModelPort {
  postMessage(message: FromModelWorker): void;
  addEventListener(
    type: "message",
    listener: (event: MessageEvent<ToModelWorker>) => void,
  ): void;
}

/** Least time between two messages about one call's progress, in milliseconds. */
const PROGRESS_INTERVAL = 50;

/**
 * Answers calls that arrive at a port.
 *
 * @param open Opens the model; tests put something else in its place.
 */
export function serveModel(
  port: ModelPort,
  open: typeof openModel = openModel,
): void {
  let model: OpenModel | undefined;
  let queue = Promise.resolve();
  port.addEventListener("message", ({ data }) => {
    queue = queue.then(() => answer(data));
  });

  async function answer(call: ToModelWorker): Promise<void> {
    try {
      switch (call.type) {
        case "load":
          model = await load(call);
          return port.postMessage({
            type: "loaded",
            call: call.call,
            facts: model.facts,
          });
        case "count_tokens":
          return port.postMessage({
            type: "counted",
            call: call.call,
            tokens: opened().countTokens(call.messages),
          });
        case "propose":
          return await propose(call);
        default:
          throw new TypeError(`Unknown call: ${String(call satisfies never)}`);
      }
    } catch (error) {
      port.postMessage({
        type: "failed",
        call: call.call,
        sentence: sentenceOf(error),
      });
    }
  }

  function opened(): OpenModel {
    if (model === undefined) throw new TypeError("No model is loaded");
    return model;
  }

  async function load(
    call: ToModelWorker & { type: "load" },
  ): Promise<OpenModel> {
    if (model !== undefined) throw new TypeError("A model is loaded already");
    const total = call.manifest.files.reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
    const due = everyInterval();
    return await open(call, (stage, bytes) => {
      if (stage === "verify" && bytes !== 0 && bytes !== total && !due()) {
        return;
      }
      port.postMessage({
        type: "load_progress",
        call: call.call,
        stage,
        bytes,
        total_bytes: total,
      });
    });
  }

  async function propose(
    call: ToModelWorker & { type: "propose" },
  ): Promise<void> {
    const due = everyInterval();
    let told: string | null = null;
    const { text, facts } = await opened().propose(
      call.messages,
      call.maxNewTokens,
      (step) => {
        // The first step of a stage is told, however soon it comes.
        if (!due() && step.stage === told) return;
        told = step.stage;
        port.postMessage({
          type: "propose_progress",
          call: call.call,
          stage: step.stage,
          tokens: step.tokens,
          input_tokens: step.inputTokens,
          tokens_per_second: step.tokensPerSecond,
          text: step.text(),
        });
      },
    );
    port.postMessage({ type: "proposal", call: call.call, text, facts });
  }
}

function everyInterval(): () => boolean {
  let last = -Infinity;
  return () => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL) return false;
    last = now;
    return true;
  };
}
