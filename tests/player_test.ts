// A real network through the whole path: it generates, token by token, what the
// controller then judges. That it plays well says nothing about any model's
// ability; it was trained to (tasks/player/train_player.md).

import assert from "node:assert/strict";
import * as fs from "node:fs";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import type { JsonObject } from "../lib/agent/json.ts";
import { playedCalls, playedDigest } from "../tasks/player/player_script.ts";
import { runBinary, workingFolder } from "./binary_run.ts";
import { compiledBinary } from "./compiled_binary.ts";
import { type Left, tinycoder } from "./launched.ts";
import { learnedDigest, PLAYER_TRIAL, unpackPlayer } from "./player_fixture.ts";

type Run = (cwd: string, args: readonly string[]) => Promise<Left>;

const PROGRAMS: readonly (readonly [string, Run])[] = [
  ["the checkout", tinycoder],
  ["the binary", async (cwd, args) => {
    const program = await compiledBinary();
    return await runBinary({ program, cwd, user: "this user" }, args);
  }],
];

for (const [program, run] of PROGRAMS) {
  Deno.test(`a network repairs the file through the whole path of ${program}`, async () => {
    using folder = workingFolder("this user");
    unpackPlayer(folder.path);
    const trial = await conductTrial(run, folder.path);

    assert.deepEqual(partOf(trial.final), {
      source: "model",
      core_trial: false,
      extension: "a network trained to play the baseline",
      stop_reason: "finish_accepted",
      verified_success: true,
      proposals: 6,
      invalid_proposals: 0,
      model_calls: 6,
      public: { passed: 4, total: 4 },
      held_out: { passed: 8, total: 8 },
    });
    assert.deepEqual(trial.generated.map(({ text }) => text), baseline);
    assert.deepEqual(
      trial.generated.map(({ facts }) => stoppedByItself(facts)),
      baseline.map(() => true),
    );
    assertReuse(trial);
    assert.deepEqual(trial.requests, await playedRequests());
  });
}

Deno.test("the same network without one block of weights says nothing that is admitted", async () => {
  using folder = workingFolder("this user");
  unpackPlayer(folder.path, "model.layers.0.mlp.down_proj.weight");
  const trial = await conductTrial(tinycoder, folder.path);

  assert.deepEqual(partOf(trial.final), {
    source: "model",
    core_trial: false,
    extension: "a network trained to play the baseline",
    stop_reason: "invalid_proposal_limit",
    verified_success: false,
    proposals: 2,
    invalid_proposals: 2,
    model_calls: 2,
    public: { passed: 0, total: 4 },
    held_out: { passed: 2, total: 8 },
  });
  assert.deepEqual(trial.errors, ["invalid_json", "invalid_json"]);
  assert.equal(trial.generated.length, 2);
  for (const { text, facts } of trial.generated) {
    assert.ok(!baseline.includes(text), text);
    const ids = facts["raw_output_ids"] as readonly number[];
    assert.ok(ids.length > 0);
    assert.equal(facts["output_tokens"], ids.length);
  }
  const [first] = await playedRequests();
  assert.deepEqual(trial.requests[0], first);
});

Deno.test("the player has learned what a baseline asks today", async () => {
  assert.equal(
    learnedDigest(),
    playedDigest(await playedCalls()),
    "A baseline's requests or replies are no longer those that the player in " +
      "fixtures/checkpoint/ has learned, so that its trials can't be relied " +
      "on. Train it anew, as tasks/player/train_player.md says: a minute",
  );
});

/** What a trial left, as its evidence tells it. */
interface Trial {
  readonly final: JsonObject;
  /** What was recorded of the loaded model. */
  readonly model: JsonObject;
  readonly requests: readonly unknown[];
  readonly generated: readonly {
    readonly text: string;
    readonly facts: JsonObject;
  }[];
  /** Errors that observations told. */
  readonly errors: readonly unknown[];
}

/** Conducts a trial of the unpacked player, and asserts that it verifies. */
async function conductTrial(run: Run, cwd: string): Promise<Trial> {
  const made = await run(cwd, PLAYER_TRIAL);
  assert.equal(made.code, 0, made.err);
  const verified = await run(cwd, ["verify", "trial"]);
  assert.equal(verified.code, 0, verified.out + verified.err);
  const read = (name: string) =>
    fs.readFileSync(`${cwd}/trial/${name}`, "utf8");
  const records: JsonObject[] = read("audit.jsonl").trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  const contents = (type: string) =>
    records.filter(({ event }) => event === type)
      .map(({ content }) => content as JsonObject);
  return {
    final: JSON.parse(read("final.json")),
    model: contents("model_loaded")[0]?.["source_facts"] as JsonObject,
    requests: contents("request_assembled").map(({ messages }) => messages),
    generated: contents("proposal_received").map((content) => ({
      text: content["proposal_text"] as string,
      facts: content["source_facts"] as JsonObject,
    })),
    errors: contents("observation_made")
      .map(({ observation }) => observation as JsonObject)
      .flatMap(({ error }) => error === undefined ? [] : [error]),
  };
}

/** What a trial's report is asked for. */
function partOf(final: JsonObject): JsonObject {
  const fields = [
    ...["source", "core_trial", "extension", "stop_reason"],
    ...["verified_success", "proposals", "invalid_proposals", "model_calls"],
    ...["public", "held_out"],
  ];
  return Object.fromEntries(fields.map((name) => [name, final[name] ?? null]));
}

/** Whether the end token ended a generation. */
function stoppedByItself(facts: JsonObject): boolean {
  const ids = facts["raw_output_ids"] as readonly number[];
  return facts["ceiling_reached"] === false && ids.at(-1) === END;
}

/**
 * Asserts that each call took over every whole block of the one before: all but
 * its last token and what lies behind the last multiple of a block's length.
 */
function assertReuse({ generated, model }: Trial): void {
  const block = Number(model["prefill_block_tokens"]);
  const read = generated.map(({ facts }) => Number(facts["input_tokens"]));
  assert.ok(read.every((tokens) => tokens > block), String(read));
  assert.deepEqual(
    generated.map(({ facts }) => facts["reused_tokens"]),
    [
      0,
      ...read.slice(0, -1).map((tokens) => tokens - 1 - (tokens - 1) % block),
    ],
  );
}

/** Id of the player's `<|im_end|>`. */
const END = 2;

/** The messages of each of a baseline's calls. */
async function playedRequests(): Promise<readonly unknown[]> {
  return (await playedCalls()).map(({ messages }) => messages);
}
