import assert from "node:assert/strict";
import type { JsonObject } from "../agent/json.ts";
import type { Message } from "../agent/source.ts";
import type { Manifest } from "../evidence/manifest.ts";
import { inputDigest } from "../model/proposal_facts.ts";
import {
  EXTENSION,
  PINNED,
  toldDeclaration,
  toldLoaded,
  toldSource,
} from "../../tests/told_model.ts";
import { openGate } from "../../tests/baseline_in_process.ts";
import { ModelWitness } from "./model_witness.ts";

const MESSAGES: readonly Message[] = [
  { role: "user", content: `CONTRACT ${"and so on ".repeat(400)}` },
];
const FACTS = "content.source_facts";

interface Told {
  readonly loaded: JsonObject;
  readonly tokens: number;
  readonly attempt: JsonObject;
}

/** What a model tells in a run of one proposal. */
async function told(checkpoint = PINNED): Promise<Told> {
  const source = toldSource(checkpoint, [{ text: "{}", outputIds: [20, 21] }]);
  const request = { proposalNumber: 1, messages: MESSAGES };
  const counted = await source.countTokens!(MESSAGES);
  assert.ok("tokens" in counted);
  return {
    loaded: toldLoaded(checkpoint),
    tokens: Number(counted.tokens),
    attempt: await source.propose(request, openGate),
  };
}

function witnessOf(
  checkpoint: typeof PINNED | null = PINNED,
  runtime: JsonObject = { deno: "2.9.4", v8: "15.0" },
): ModelWitness {
  return new ModelWitness({
    proposal_source: checkpoint === null ? "recorded" : "model",
    model: checkpoint === null ? null : toldDeclaration(checkpoint),
    runtime,
  } as unknown as Manifest);
}

/** The field in which a run contradicts itself, or undefined. */
function field(
  { loaded, tokens, attempt }: Told,
  witness = witnessOf(),
): string | undefined {
  const events: readonly (readonly [string, JsonObject])[] = [
    ["model_loaded", loaded],
    ["tokens_counted", { tokens }],
    ["request_assembled", { messages: MESSAGES }],
    ["proposal_received", attempt],
  ];
  for (const [event, content] of events) {
    const contradiction = witness.see({
      event,
      kind: "fact",
      at: null,
      proposal_number: 1,
      content,
    });
    if (contradiction !== null) return contradiction.field;
  }
  return undefined;
}

const plain = await told();

/** The run with these facts of the loaded model. */
const loadedWith = (facts: JsonObject): Told => ({
  ...plain,
  loaded: {
    ...plain.loaded,
    source_facts: { ...plain.loaded["source_facts"] as JsonObject, ...facts },
  },
});

/** The run with these facts of the generation. */
const generatedWith = (facts: JsonObject): Told => ({
  ...plain,
  attempt: {
    ...plain.attempt,
    source_facts: { ...plain.attempt["source_facts"] as JsonObject, ...facts },
  },
});

Deno.test("ModelWitness takes what a model tells, and counts it", async () => {
  const witness = witnessOf();
  assert.equal(field(plain, witness), undefined);
  assert.deepEqual(witness.look(), [
    { name: "model", checked: 3, contradiction: null },
  ]);
  assert.equal(field(await told(EXTENSION), witnessOf(EXTENSION)), undefined);
  // A replay repeats the facts without a declaration of its own.
  assert.equal(field(plain, witnessOf(null, { deno: "9.9.9" })), undefined);
  assert.deepEqual(witnessOf(null).look(), []);
});

Deno.test("ModelWitness wants a model to say what it is", () => {
  const { source_facts: loaded, ...unloaded } = plain.loaded;
  const { source_facts: generated, ...ungenerated } = plain.attempt;
  assert.ok(loaded !== undefined && generated !== undefined);
  assert.equal(field({ ...plain, loaded: unloaded }), FACTS);
  assert.equal(field({ ...plain, attempt: ungenerated }), FACTS);
  const failed = { failed: "model_error", elapsed_ms: 1 };
  assert.equal(field({ ...plain, attempt: failed }), undefined);
  const ignored = { ...failed, source_facts: { ignored_messages: 1 } };
  assert.equal(field({ ...plain, attempt: ignored }), undefined);
  const unsaid = { ...plain.attempt, source_facts: { ignored_messages: 1 } };
  assert.equal(
    field({ ...plain, attempt: unsaid }),
    `${FACTS}.weights_sha256`,
  );
  // Nothing generates that wasn't loaded.
  assert.equal(field({ ...plain, loaded: failed }), FACTS);
});

Deno.test("ModelWitness holds the loaded model to the declared one", () => {
  const facts = plain.loaded["source_facts"] as JsonObject;
  const shape = facts["shape"] as JsonObject;
  const versions = facts["versions"] as JsonObject;
  const generation = facts["generation"] as JsonObject;
  const inForce = facts["generation_in_force"] as JsonObject;
  const files = facts["files"] as JsonObject[];
  const weights = files.findIndex(({ name }) => name === "model.safetensors");
  const otherWeights = { ...files[weights], sha256: "0".repeat(64) };
  for (
    const [changed, where] of [
      [{ label: "another" }, "label"],
      [{ revision: null }, "revision"],
      [{ seed: 1 }, "seed"],
      [{ effective_precision: "int8" }, "effective_precision"],
      [{ execution_provider: "cuda" }, "execution_provider"],
      [
        { generation: { ...generation, do_sample: true } },
        "generation.do_sample",
      ],
      [
        { generation_in_force: { ...inForce, repetition_penalty: 1.05 } },
        "generation_in_force.repetition_penalty",
      ],
      [
        { shape: { ...shape, num_hidden_layers: 12 } },
        "shape.num_hidden_layers",
      ],
      [{ versions: { ...versions, deno: "2.9.5" } }, "versions.deno"],
      [{ files: files.with(weights, otherWeights) }, `files.${weights}.sha256`],
      [{ files: files.slice(1) }, "files.0.name"],
      [{ graph_sha256: "short" }, "graph_sha256"],
    ] as const
  ) {
    assert.equal(field(loadedWith(changed)), `${FACTS}.${where}`);
  }
});

Deno.test("ModelWitness computes a generation's counts and digests again", () => {
  const facts = plain.attempt["source_facts"] as JsonObject;
  const ids = facts["input_ids"] as number[];
  for (
    const [changed, where] of [
      [{ weights_sha256: "0".repeat(64) }, "weights_sha256"],
      [{ input_sha256: "0".repeat(64) }, "input_sha256"],
      [{ input_ids: ids.with(0, 1) }, "input_sha256"],
      [{ input_tokens: ids.length + 1 }, "input_tokens"],
      [{ reused_tokens: 128 }, "reused_tokens"],
      [{ output_tokens: 2 }, "output_tokens"],
      [{ ceiling_reached: true }, "ceiling_reached"],
      // An end token in the middle, none at the end, and one that isn't any.
      [
        { raw_output_ids: [151_645, 20, 151_643], output_tokens: 3 },
        "raw_output_ids",
      ],
      [
        { raw_output_ids: [20, 21], output_tokens: 2, ceiling_reached: true },
        "raw_output_ids",
      ],
      [
        { raw_output_ids: [151_936, 20, 151_643], output_tokens: 3 },
        "raw_output_ids.0",
      ],
      [{ neutralised: [{ token: "CONTRACT", count: 2 }] }, "neutralised.0"],
      [{ neutralised: [{ token: "absent", count: 1 }] }, "neutralised.0"],
    ] as const
  ) {
    assert.equal(field(generatedWith(changed)), `${FACTS}.${where}`, where);
  }
  assert.equal(
    field(generatedWith({
      raw_output_ids: Array.from({ length: 128 }, () => 20),
      output_tokens: 128,
      ceiling_reached: true,
    })),
    undefined,
  );
});

Deno.test("ModelWitness compares the input with what was counted of the request", () => {
  assert.equal(
    field({ ...plain, tokens: plain.tokens - 1 }),
    `${FACTS}.input_tokens`,
  );
  const facts = plain.attempt["source_facts"] as JsonObject;
  const longer = [...facts["input_ids"] as number[], 20];
  assert.equal(
    field(generatedWith({
      input_ids: longer,
      input_tokens: longer.length,
      input_sha256: inputDigest(longer),
    })),
    `${FACTS}.input_tokens`,
  );
});

Deno.test("ModelWitness computes what a second call can take over of the first", async () => {
  const source = toldSource(PINNED, [
    { text: "{}", outputIds: [20] },
    { text: "{}", outputIds: [20] },
  ]);
  const witness = witnessOf();
  const see = (event: string, content: JsonObject) =>
    witness.see({
      event,
      kind: "fact",
      at: null,
      proposal_number: 1,
      content,
    });
  assert.equal(see("model_loaded", toldLoaded(PINNED)), null);
  see("request_assembled", { messages: MESSAGES });
  const call = (proposalNumber: number) =>
    source.propose({ proposalNumber, messages: MESSAGES }, openGate);
  assert.equal(see("proposal_received", await call(1)), null);
  const second = await call(2);
  const facts = second.source_facts as JsonObject;
  assert.equal(facts["reused_tokens"], 256);
  const none = { ...second, source_facts: { ...facts, reused_tokens: 0 } };
  assert.deepEqual(see("proposal_received", none), {
    message: "It doesn't follow from the ids and the loaded model",
    field: `${FACTS}.reused_tokens`,
    expected: "256",
    found: "0",
  });
});
