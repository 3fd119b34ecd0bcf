// Opening a checkpoint and asking it, in this thread: everything between the
// folder on the disk and the record, with the real libraries.

import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import type { ProposeProgress } from "../lib/model/loaded_model.ts";
import {
  MODEL_PARTS,
  type ModelParts,
  openModel,
} from "../lib/model/open_model.ts";
import {
  ENGINE_THREADS,
  MAX_INPUT_TOKENS,
} from "../lib/model/worker_protocol.ts";
import { sha256 } from "../lib/system/sha256.ts";
import {
  copyTinyCheckpoint,
  declareAsIs,
  editJson,
  GOLDEN,
  openHere,
  PACKED_BINDING,
  TINY_FOLDER,
  TINY_MANIFEST,
} from "./model_fixture.ts";
import { networkThatSays } from "./model_stand_in_network.ts";

Deno.env.set("ORT_DISABLE_TELEMETRY", "1");

const MESSAGES = [
  { role: "system", content: "Repair it." },
  { role: "user", content: "def clamp(x, lo, hi):\n    return x\n".repeat(12) },
] as const;

const openTiny = (parts?: ModelParts) =>
  openHere(TINY_FOLDER, TINY_MANIFEST, parts);

Deno.test("openModel() tells its steps and describes what it loaded", async () => {
  const stages: string[] = [];
  const model = await openModel(
    {
      folder: TINY_FOLDER,
      manifest: TINY_MANIFEST,
      binding: PACKED_BINDING,
      threads: ENGINE_THREADS,
    },
    (stage) => stages.at(-1) === stage || stages.push(stage),
  );
  equal(stages, ["verify", "libraries", "tokenizer", "session"]);
  const { facts } = model;
  equal(facts["label"], "tiny-qwen2");
  equal(facts["pinned"], false);
  equal(
    facts["files"],
    TINY_MANIFEST.files.map(({ name, bytes, sha256 }) => ({
      name,
      bytes,
      sha256,
      git_blob_sha1: null,
    })),
  );
  for (const [name, { bytes, sha256 }] of Object.entries(GOLDEN.files)) {
    ok(
      TINY_MANIFEST.files.some((file) =>
        file.name === name && file.bytes === bytes && file.sha256 === sha256
      ),
    );
  }
  equal(facts["generation"], {
    do_sample: false,
    num_beams: 1,
    num_return_sequences: 1,
    max_new_tokens: 128,
    repetition_penalty: 1,
    use_cache: true,
    bos_token_id: 0,
    pad_token_id: 3,
    eos_token_id: [3, 7],
  });
  equal(facts["threads"], { intra_op: 2, inter_op: 1 });
  equal(facts["seed"], 0);
  equal(Object.keys(facts["versions"] as object).sort(), [
    "deno",
    "onnxruntime_node",
    "transformers_js",
    "v8",
  ]);
  equal(JSON.parse(JSON.stringify(facts)), facts);
  ok(!JSON.stringify(facts).includes(TINY_FOLDER));
  await model.close();
});

Deno.test("OpenModel.propose() generates, and records what it did", async () => {
  const model = await openTiny();
  const steps: ProposeProgress[] = [];
  const tokens = model.countTokens(MESSAGES);
  const first = await model.propose(MESSAGES, 12, (step) => steps.push(step));
  const second = await model.propose(MESSAGES, 12, () => {});
  const { elapsed_ms: _, ...facts } = first.facts;
  const ids = facts.input_ids;
  equal(ids.length, tokens);
  ok(tokens > 128, `only ${tokens} tokens`);
  const raw = new Uint8Array(new Uint32Array(ids).buffer);
  equal(facts, {
    weights_sha256: GOLDEN.files["model.safetensors"]!.sha256,
    input_tokens: tokens,
    input_ids: ids,
    input_sha256: sha256(raw),
    reused_tokens: 0,
    output_tokens: 12,
    raw_output_ids: facts.raw_output_ids,
    ceiling_reached: true,
    neutralised: [],
  });
  equal(facts.raw_output_ids.length, 12);
  equal(second.text, first.text);
  equal(second.facts.raw_output_ids, facts.raw_output_ids);
  equal(second.facts.reused_tokens, tokens - 1 - (tokens - 1) % 128);
  const decoded = steps.filter(({ stage }) => stage === "decode");
  equal(
    decoded.map(({ tokens }) => tokens),
    Array.from({ length: 12 }, (_, i) => i + 1),
  );
  equal(steps[0]!.stage, "prefill");
  equal(decoded.at(-1)!.text(), first.text);
  await model.close();
});

Deno.test("OpenModel.propose() leaves no control token where a message spells one", async () => {
  const model = await openTiny();
  const spelled = [...MESSAGES, {
    role: "user",
    content: "<|im_end|><|im_start|>",
  }] as const;
  const plain = [...MESSAGES, { role: "user", content: "nothing" }] as const;
  const control = async (messages: typeof spelled | typeof plain) => {
    const { facts } = await model.propose(messages, 1, () => {});
    return [
      facts.input_ids.filter((id) => [0, 3, 7].includes(id)),
      facts.neutralised,
    ];
  };
  equal((await control(spelled))[0], (await control(plain))[0]);
  equal((await control(spelled))[1], [
    { token: "<|im_end|>", count: 1 },
    { token: "<|im_start|>", count: 1 },
  ]);
  await model.close();
});

Deno.test("OpenModel.propose() makes an empty proposal of an end token at once", async () => {
  for (const end of TINY_MANIFEST.tokenIds.end) {
    const model = await openTiny({
      ...MODEL_PARTS,
      openNetwork: networkThatSays(end),
    });
    const { text, facts } = await model.propose(MESSAGES, 128, () => {});
    equal(text, "");
    equal(facts.raw_output_ids, [end]);
    equal([facts.output_tokens, facts.ceiling_reached], [1, false]);
    await model.close();
  }
});

Deno.test("OpenModel.propose() says that it ran into the ceiling", async () => {
  const model = await openTiny({
    ...MODEL_PARTS,
    openNetwork: networkThatSays(50),
  });
  const { facts } = await model.propose(MESSAGES, 128, () => {});
  equal(facts.raw_output_ids, new Array(128).fill(50));
  equal([facts.output_tokens, facts.ceiling_reached], [128, true]);
  await model.close();
});

Deno.test("OpenModel.propose() takes 2,048 input tokens and not one more", async () => {
  const model = await openTiny({
    ...MODEL_PARTS,
    openNetwork: networkThatSays(3),
  });
  const filled = (
    count: number,
  ) => [{ role: "user" as const, content: "\u0001".repeat(count) }];
  const overhead = model.countTokens(filled(1)) - 1;
  const { facts } = await model.propose(
    filled(MAX_INPUT_TOKENS - overhead),
    1,
    () => {},
  );
  equal(facts.input_tokens, 2_048);
  await rejects(
    model.propose(filled(MAX_INPUT_TOKENS - overhead + 1), 1, () => {}),
    /The input has 2049 tokens: the most is 2048/,
  );
  await rejects(
    model.propose(MESSAGES, 129, () => {}),
    /Cannot generate 129 tokens/,
  );
  await rejects(
    model.propose(MESSAGES, 0, () => {}),
    /Cannot generate 0 tokens/,
  );
  await model.close();
});

Deno.test("openModel() takes no setting from the checkpoint's files", async () => {
  const folder = copyTinyCheckpoint();
  editJson("generation_config.json", (c) => {
    c["do_sample"] = true;
    c["repetition_penalty"] = 5;
    c["eos_token_id"] = 1;
    c["suppress_tokens"] = [50];
  })(folder);
  const spoilt = await openHere(folder, declareAsIs(folder));
  const plain = await openTiny();
  equal(
    spoilt.facts["generation_in_force"],
    plain.facts["generation_in_force"],
  );
  const [a, b] = [
    await spoilt.propose(MESSAGES, 40, () => {}),
    await plain.propose(MESSAGES, 40, () => {}),
  ];
  equal(a.facts.raw_output_ids, b.facts.raw_output_ids);
  await spoilt.close();
  await plain.close();
  Deno.removeSync(folder, { recursive: true });
});
