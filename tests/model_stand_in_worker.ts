// A model worker that misbehaves, for tests of whoever talks to one. What it
// does is the label of the manifest that it is told to load. Everything but the
// session of ONNX Runtime is real, as far as it gets.

import { refuse } from "../lib/model/model_refusal.ts";
import {
  MODEL_PARTS,
  type openModel,
  openModel as open,
} from "../lib/model/open_model.ts";
import { type ModelPort, serveModel } from "../lib/model/serve_model.ts";
import type {
  FromModelWorker,
  ToModelWorker,
} from "../lib/model/worker_protocol.ts";
import { networkThatSays } from "./model_stand_in_network.ts";

/** What the stand-in can do. */
export const BEHAVIOURS = [
  /** Ends every generation at once: an empty proposal. */
  "end-at-once",
  /** Blocks its thread, for ever. */
  "hang-load",
  "hang-prefill",
  "hang-decode",
  /** Throws there. */
  "throw-load",
  "throw-prefill",
  "throw-decode",
  /** Throws outside of any call, which ends the worker. */
  "die",
  /** Closes itself instead of answering. */
  "close",
  /** Answers a call that nobody made, and then the real one. */
  "unasked",
  /** Answers every proposal twice. */
  "double",
  /** Answers with a text over every limit. */
  "oversized",
  /** Answers with what is no message. */
  "malformed",
] as const;

/** One of them. */
export type Behaviour = typeof BEHAVIOURS[number];

const END_TOKEN = 3;
const scope = globalThis as unknown as ModelPort & { close(): void };
delete (globalThis as { location?: unknown }).location;

let behaviour: Behaviour = "end-at-once";

function block(): never {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("Woken up");
}

const standIn: typeof openModel = (load, progress) => {
  behaviour = load.manifest.label as Behaviour;
  let decoded = 0;
  const before = (ids: readonly number[]) => {
    if (ids.length > 1) decoded = 0;
    const stage = ids.length > 1 || decoded++ === 0 ? "prefill" : "decode";
    if (behaviour === `hang-${stage}`) block();
    if (behaviour === `throw-${stage}`) {
      refuse(`The stand-in threw in ${stage}`);
    }
  };
  return open(load, progress, {
    ...MODEL_PARTS,
    openNetwork: (...args) => {
      if (behaviour === "hang-load") block();
      if (behaviour === "throw-load") refuse("The stand-in threw in load");
      const endless = behaviour.endsWith("decode");
      return networkThatSays(endless ? 50 : END_TOKEN, before)(...args);
    },
  });
};

const port: ModelPort = {
  addEventListener: (type, listener) =>
    scope.addEventListener(type, (event) => {
      const { data } = event as MessageEvent<ToModelWorker>;
      if (data.type === "propose" && behaviour === "close") {
        return scope.close();
      }
      if (data.type === "propose" && behaviour === "die") {
        queueMicrotask(() => {
          throw new Error("The stand-in died");
        });
        return;
      }
      listener(event);
    }),
  postMessage: (message) => {
    for (
      const one of message.type === "proposal" ? spoilt(message) : [message]
    ) {
      scope.postMessage(one as FromModelWorker);
    }
  },
};

function spoilt(message: FromModelWorker & { type: "proposal" }): unknown[] {
  switch (behaviour) {
    case "unasked":
      return [{ ...message, call: message.call + 1_000 }, message];
    case "double":
      return [message, message];
    case "oversized":
      return [{ ...message, text: "x".repeat(1 << 20) }];
    case "malformed":
      return [{ proposal: '{"action":"test"}' }];
    default:
      return [message];
  }
}

serveModel(port, standIn);
