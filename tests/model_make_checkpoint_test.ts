import { deepStrictEqual as equal } from "node:assert/strict";
import { readCheckpointManifest } from "../lib/model/checkpoint_manifest.ts";
import { openModel } from "../lib/model/open_model.ts";
import { ENGINE_THREADS } from "../lib/model/worker_protocol.ts";
import {
  makeCheckpoint,
  TINY_CONFIG,
  TINY_TOKEN_IDS,
  tinyTokenizer,
} from "../tasks/make_checkpoint.ts";
import { PACKED_BINDING } from "./model_fixture.ts";

Deno.env.set("ORT_DISABLE_TELEMETRY", "1");

function make(folder: string, seed: number): Record<string, unknown> {
  return makeCheckpoint(folder, {
    config: TINY_CONFIG,
    seed,
    label: "made",
    deviation: 0.15,
    smallFiles: tinyTokenizer(TINY_CONFIG.vocabSize),
    tokenIds: TINY_TOKEN_IDS,
  });
}

Deno.test("makeCheckpoint() makes the same bytes of the same seed", () => {
  const folder = Deno.makeTempDirSync();
  const [a, b, c] = [
    make(`${folder}/a`, 1),
    make(`${folder}/b`, 1),
    make(`${folder}/c`, 2),
  ];
  equal(a, b);
  const weights = (manifest: Record<string, unknown>) =>
    (manifest["files"] as { name: string; sha256: string }[])
      .find(({ name }) => name === "model.safetensors")!.sha256;
  equal(weights(a) === weights(c), false);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("makeCheckpoint() makes a checkpoint that opens and generates", async () => {
  const folder = Deno.makeTempDirSync();
  const manifest = make(`${folder}/model`, 3);
  const model = await openModel({
    folder: `${folder}/model`,
    manifest: readCheckpointManifest(
      new TextEncoder().encode(JSON.stringify(manifest)),
    ),
    binding: PACKED_BINDING,
    threads: ENGINE_THREADS,
  });
  const { facts } = await model.propose(
    [{ role: "user", content: "read" }],
    5,
    () => {},
  );
  equal(facts.output_tokens, facts.raw_output_ids.length);
  await model.close();
  Deno.removeSync(folder, { recursive: true });
});
