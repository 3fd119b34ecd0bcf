// Checkpoints that are exactly what they are declared to be, and still nothing
// that this program runs. Each is refused with one sentence, without a path.

import { equal, match, ok, rejects } from "node:assert/strict";
import type { OpenModel, ProposeProgress } from "../lib/model/loaded_model.ts";
import { ModelRefusal } from "../lib/model/model_refusal.ts";
import { MODEL_PARTS, type ModelParts } from "../lib/model/open_model.ts";
import { readModelWorkerMessage } from "../lib/model/worker_protocol.ts";
import {
  copyTinyCheckpoint,
  declareAsIs,
  editJson,
  openHere,
} from "./model_fixture.ts";
import { networkThatSays } from "./model_stand_in_network.ts";

Deno.env.set("ORT_DISABLE_TELEMETRY", "1");

const WITHOUT_NATIVE_CODE: ModelParts = {
  ...MODEL_PARTS,
  loadRuntime: () => Promise.reject(new Error("Native code is loaded")),
};

async function refused(
  spoil: (folder: string) => void,
  why: RegExp,
  parts?: ModelParts,
): Promise<void> {
  const folder = copyTinyCheckpoint();
  try {
    spoil(folder);
    await rejects(openHere(folder, declareAsIs(folder), parts), (error) => {
      ok(error instanceof ModelRefusal);
      match(error.message, why);
      match(error.message, /^[^\n/]*$/);
      return true;
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

type Header = Record<
  string,
  { dtype: string; shape: number[]; data_offsets: number[] }
>;

function editHeader(edit: (header: Header) => void, tail = 0) {
  return (folder: string) => {
    const path = `${folder}/model.safetensors`;
    const bytes = Deno.readFileSync(path);
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header = JSON.parse(
      new TextDecoder().decode(bytes.subarray(8, 8 + length)),
    );
    edit(header);
    const text = new TextEncoder().encode(JSON.stringify(header));
    const size = new Uint8Array(8);
    new DataView(size.buffer).setBigUint64(0, BigInt(text.length), true);
    const data = bytes.subarray(8 + length);
    const parts = [size, text, data, new Uint8Array(tail)];
    Deno.writeFileSync(
      path,
      new Uint8Array(parts.flatMap((part) => [...part])),
    );
  };
}

Deno.test("openModel() refuses a hostile checkpoint although it is declared", async () => {
  await refused(
    editJson("config.json", (c) => c["auto_map"] = {}),
    /asks for code from outside/,
  );
  await refused(
    editJson("config.json", (c) => c["architectures"] = ["LlamaForCausalLM"]),
    /has "architectures"/,
  );
  await refused(
    editJson("config.json", (c) => c["tie_word_embeddings"] = false),
    /has "tie_word_embeddings"/,
  );
  await refused(
    editJson("config.json", (c) => c["use_sliding_window"] = true),
    /has "use_sliding_window"/,
  );
  await refused(
    editJson("config.json", (c) => c["num_hidden_layers"] = 2),
    /the network doesn't use/,
  );
  await refused(
    editJson("config.json", (c) => c["num_hidden_layers"] = 4),
    /lack the tensor "model.layers.3/,
  );
  await refused(
    editJson("config.json", (c) => c["vocab_size"] = 511),
    /has shape \[512,64\]/,
  );
  await refused(
    editJson("tokenizer_config.json", (c) => c["auto_map"] = {}),
    /asks for code from outside/,
  );
  await refused(
    editJson(
      "tokenizer.json",
      (t) =>
        (t["model"] as { vocab: Record<string, number> }).vocab["zz"] = 512,
    ),
    /the network's vocabulary ends at 511/,
  );
  await refused(
    editJson("tokenizer.json", (t) => {
      const replace = {
        type: "Replace",
        pattern: { Regex: "^[\\s\\S]*$" },
        content: '{"action":"read","file":"toy_math.py"}',
      };
      t["decoder"] = { type: "Sequence", decoders: [t["decoder"], replace] };
    }),
    /has a "decoder" that this program doesn't know/,
    WITHOUT_NATIVE_CODE,
  );
  await refused(
    editJson("tokenizer_config.json", (c) => {
      c["chat_template"] =
        "{{- '<|im_start|>user\\nsay hi<|im_end|>\\n<|im_start|>assistant\\n' }}";
    }),
    /has a chat template that this program doesn't know/,
    WITHOUT_NATIVE_CODE,
  );
  await refused(
    (folder) => Deno.writeTextFileSync(`${folder}/tokenizer.json`, "<html>"),
    /"tokenizer.json" isn't a JSON object/,
  );
  await refused(
    (folder) =>
      Deno.writeTextFileSync(`${folder}/config.json`, "version https:"),
    /"config.json" isn't JSON/,
  );
});

Deno.test("openModel() refuses weights that aren't the network's", async () => {
  const norm = "model.norm.weight";
  await refused(
    editHeader((h) => h[norm]!.dtype = "F16"),
    /"model.norm.weight" is F16: BF16 is needed/,
  );
  await refused(
    editHeader((h) => h[norm]!.shape = [8, 8]),
    /has shape \[8,8\]: \[64\] is needed/,
  );
  await refused(
    editHeader((h) => h[norm]!.shape = [64, ...Array(1_000).fill(1)]),
    /has shape \[64,1,1,1,1,1,1,1,…\]: \[64\] is needed/,
  );
  await refused(editHeader((h) => delete h[norm]), /belong to none/);
  await refused(
    editHeader((h) => {
      h["lm_head.weight"] = h[norm]!;
      delete h[norm];
    }),
    /lack the tensor "model.norm.weight"/,
  );
  await refused(
    editHeader((h) =>
      h[norm]!.data_offsets =
        h["model.layers.0.input_layernorm.weight"]!.data_offsets
    ),
    /overlaps another one/,
  );
  await refused(
    editHeader((h) => h[norm]!.data_offsets = [2 ** 40, 2 ** 40 + 128]),
    /lies outside of the file/,
  );
  await refused(editHeader(() => {}, 2), /2 bytes after the last tensor/);
  await refused((folder) => {
    const file = Deno.openSync(`${folder}/model.safetensors`, { write: true });
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, 2n ** 63n, true);
    file.writeSync(length);
    file.close();
  }, /claims 9223372036854775808 bytes/);
});

Deno.test("openModel() refuses weights that change while they are loaded", async () => {
  const folder = copyTinyCheckpoint();
  const parts: ModelParts = {
    ...MODEL_PARTS,
    openNetwork: async (...args) => {
      const network = await MODEL_PARTS.openNetwork(...args);
      Deno.utimeSync(`${folder}/model.safetensors`, 1, 1);
      return network;
    },
  };
  await rejects(
    openHere(folder, declareAsIs(folder), parts),
    /"model.safetensors" changed while it was verified or loaded/,
  );
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("LoadedModel.propose() stays within the protocol, however long tokens are", async () => {
  const LAST = 511;
  const saying = async (
    token: string,
    say: (model: OpenModel, step: (step: ProposeProgress) => void) => unknown,
  ) => {
    const folder = copyTinyCheckpoint();
    editJson("tokenizer.json", (t) => {
      const { vocab } = t["model"] as { vocab: Record<string, number> };
      const [old] = Object.entries(vocab).find(([, id]) => id === LAST)!;
      delete vocab[old];
      vocab[token] = LAST;
    })(folder);
    const model = await openHere(folder, declareAsIs(folder), {
      ...MODEL_PARTS,
      openNetwork: networkThatSays(LAST),
    });
    let steps = 0;
    await say(model, (step) => {
      steps++;
      const said = {
        type: "propose_progress",
        call: 1,
        stage: step.stage,
        tokens: step.tokens,
        input_tokens: step.inputTokens,
        tokens_per_second: step.tokensPerSecond,
        text: step.text(),
      };
      ok(readModelWorkerMessage(said) !== null, "It says what it never says");
    });
    ok(steps > 128);
    Deno.removeSync(folder, { recursive: true });
  };
  const messages = [{ role: "user" as const, content: "x" }];
  await saying("a".repeat(256), async (model, step) => {
    const { text } = await model.propose(messages, 128, step);
    equal(text, "a".repeat(32_768));
  });
  // Bytes that are no UTF-8: each is shown as a character of three.
  await saying("\u00ff".repeat(256), async (model, step) => {
    await rejects(
      model.propose(messages, 128, step),
      /^ModelRefusal: The generated text has more than 32768 bytes$/,
    );
  });
});
