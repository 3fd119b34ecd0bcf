// The model worker as the program runs it: a Web Worker with the permissions of
// lib/system/permissions.ts and no others.

import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { CheckpointManifest } from "../lib/model/checkpoint_manifest.ts";
import { installEngine } from "../lib/model/engine.ts";
import { openModel } from "../lib/model/open_model.ts";
import {
  ENGINE_THREADS,
  type FromModelWorker,
  readModelWorkerMessage,
  type ToModelWorker,
} from "../lib/model/worker_protocol.ts";
import { PACKED_BINDING, TINY_FOLDER, TINY_MANIFEST } from "./model_fixture.ts";
import type { Behaviour } from "./model_stand_in_worker.ts";

Deno.env.set("ORT_DISABLE_TELEMETRY", "1");

const MESSAGES = [
  { role: "system", content: "Repair it." },
  { role: "user", content: "def clamp(x, lo, hi):\n    return x\n".repeat(12) },
] as const;

/** One end of a conversation with a worker. */
class Conversation {
  readonly raw: unknown[] = [];
  readonly #worker: Worker;
  #wake = Promise.withResolvers<void>();

  constructor(entry: string, folder: string, binding: string) {
    this.#worker = new Worker(new URL(entry, import.meta.url), {
      type: "module",
      deno: {
        permissions: {
          read: [folder],
          ffi: [binding],
          env: ["ORT_DISABLE_TELEMETRY"],
          write: false,
          net: false,
          sys: false,
          run: false,
          import: false,
        },
      },
    });
    this.#worker.onmessage = ({ data }) => this.#heard(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#heard({ died: event.message });
    };
  }

  say(call: ToModelWorker): void {
    this.#worker.postMessage(call);
  }

  /** The first message, heard already or to come, that is looked for. */
  async until(wanted: (message: unknown) => boolean): Promise<unknown> {
    for (;;) {
      const found = this.raw.find(wanted);
      if (found !== undefined) return found;
      await this.#wake.promise;
    }
  }

  /** The answer to a call. */
  async answer(call: ToModelWorker): Promise<FromModelWorker> {
    this.say(call);
    const answer = await this.until((message) =>
      (message as FromModelWorker).call === call.call &&
      !(message as FromModelWorker).type.endsWith("progress")
    );
    return readModelWorkerMessage(answer)!;
  }

  end(): void {
    this.#worker.terminate();
  }

  #heard(message: unknown): void {
    this.raw.push(message);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

const load = (
  manifest: CheckpointManifest,
  binding: string,
): ToModelWorker => ({
  type: "load",
  call: 1,
  folder: TINY_FOLDER,
  binding,
  manifest,
  threads: ENGINE_THREADS,
});
const PROPOSE: ToModelWorker = {
  type: "propose",
  call: 3,
  messages: MESSAGES,
  maxNewTokens: 8,
};

Deno.test("worker/model.ts loads and generates with its own permissions alone", async () => {
  const folder = Deno.makeTempDirSync();
  const { binding } = await installEngine({ root: `${folder}/engine` });
  const conversation = new Conversation(
    "../worker/model.ts",
    TINY_FOLDER,
    binding,
  );
  const loaded = await conversation.answer(load(TINY_MANIFEST, binding));
  equal(loaded.type, "loaded", JSON.stringify(loaded));
  const here = await openModel({
    folder: TINY_FOLDER,
    manifest: TINY_MANIFEST,
    binding: PACKED_BINDING,
    threads: ENGINE_THREADS,
  });
  equal(
    await conversation.answer({
      type: "count_tokens",
      call: 2,
      messages: MESSAGES,
    }),
    { type: "counted", call: 2, tokens: here.countTokens(MESSAGES) },
  );
  const proposal = await conversation.answer(PROPOSE) as FromModelWorker & {
    type: "proposal";
  };
  const expected = await here.propose(MESSAGES, 8, () => {});
  equal(proposal.text, expected.text);
  equal(proposal.facts.raw_output_ids, expected.facts.raw_output_ids);
  const told = conversation.raw as FromModelWorker[];
  ok(told.every((message) => readModelWorkerMessage(message) !== null));
  equal(
    [...new Set(told.map(({ type }) => type))].sort(),
    ["counted", "load_progress", "loaded", "proposal", "propose_progress"],
  );
  await here.close();
  conversation.end();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("worker/model.ts refuses an engine that it may not load", async () => {
  const conversation = new Conversation(
    "../worker/model.ts",
    TINY_FOLDER,
    TINY_FOLDER,
  );
  const answer = await conversation.answer(load(TINY_MANIFEST, PACKED_BINDING));
  equal(answer.type, "failed");
  match(
    (answer as { sentence: string }).sentence,
    /^The engine can't be loaded: [^/\n]*$/,
  );
  conversation.end();
});

async function standIn(behaviour: Behaviour): Promise<Conversation> {
  const conversation = new Conversation(
    "model_stand_in_worker.ts",
    TINY_FOLDER,
    PACKED_BINDING,
  );
  conversation.say(
    load({ ...TINY_MANIFEST, label: behaviour }, PACKED_BINDING),
  );
  await conversation.until((message) => {
    const { type, stage } = message as { type: string; stage?: string };
    return type === "loaded" || type === "failed" ||
      (behaviour.endsWith("load") && stage === "session");
  });
  return conversation;
}

Deno.test("model_stand_in_worker.ts fails where it is told to", async () => {
  for (const stage of ["load", "prefill", "decode"] as const) {
    const conversation = await standIn(`throw-${stage}`);
    if (stage !== "load") conversation.say(PROPOSE);
    equal(
      await conversation.until((message) =>
        (message as FromModelWorker).type === "failed"
      ),
      {
        type: "failed",
        call: stage === "load" ? 1 : 3,
        sentence: `The stand-in threw in ${stage}`,
      },
    );
    conversation.end();
  }
});

Deno.test("model_stand_in_worker.ts ends at once with an empty proposal", async () => {
  const conversation = await standIn("end-at-once");
  const answer = await conversation.answer(PROPOSE) as FromModelWorker & {
    type: "proposal";
  };
  equal([answer.text, answer.facts.raw_output_ids], ["", [3]]);
  conversation.end();
});

Deno.test("model_stand_in_worker.ts says what no worker says", async () => {
  for (
    const [behaviour, readable] of [
      ["oversized", false],
      ["malformed", false],
      ["unasked", true],
      ["double", true],
    ] as const
  ) {
    const conversation = await standIn(behaviour);
    conversation.say(PROPOSE);
    const strange = await conversation.until((message) =>
      (message as FromModelWorker).type === "proposal" ||
      "proposal" in (message as object)
    );
    equal(readModelWorkerMessage(strange) !== null, readable);
    conversation.end();
  }
  const conversation = await standIn("die");
  conversation.say(PROPOSE);
  await conversation.until((message) => "died" in (message as object));
  conversation.end();
});

Deno.test("model_stand_in_worker.ts hangs without keeping anybody", async () => {
  for (const stage of ["load", "prefill", "decode"] as const) {
    const conversation = await standIn(`hang-${stage}`);
    if (stage !== "load") {
      conversation.say(PROPOSE);
      await conversation.until((message) =>
        (message as FromModelWorker).type === "propose_progress"
      );
    }
    conversation.end();
  }
});
