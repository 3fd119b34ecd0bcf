// What several tests of the model share: the small golden checkpoint, opened.

import golden from "../fixtures/checkpoint/tiny-qwen2.golden.json" with {
  type: "json",
};
import {
  type CheckpointManifest,
  readCheckpointManifest,
} from "../lib/model/checkpoint_manifest.ts";
import {
  verifyCheckpoint,
  WEIGHTS_FILE,
} from "../lib/model/checkpoint_files.ts";
import type { OpenModel } from "../lib/model/loaded_model.ts";
import { readModelConfig } from "../lib/model/model_config.ts";
import { type Network, openNetwork } from "../lib/model/network.ts";
import { type ModelParts, openModel } from "../lib/model/open_model.ts";
import { qwen2Graph } from "../lib/model/qwen2_graph.ts";
import { requireQwen2Tensors } from "../lib/model/qwen2_tensors.ts";
import { loadRuntime, type ModelRuntime } from "../lib/model/runtime.ts";
import { readSafetensorsHeader } from "../lib/model/safetensors_header.ts";
import { ENGINE_THREADS } from "../lib/model/worker_protocol.ts";
import { sha256 } from "../lib/system/sha256.ts";

/** What Transformers computed, and with what. */
export interface Golden {
  readonly generation: {
    readonly max_new_tokens: number;
    readonly eos_token_id: readonly number[];
  };
  readonly files: Readonly<
    Record<string, { readonly bytes: number; readonly sha256: string }>
  >;
  readonly cases: readonly {
    readonly length: number;
    readonly prompt_ids: readonly number[];
    readonly greedy_ids: readonly number[];
    readonly stop_reason: string;
    readonly last_logits_f32_b64: string;
    readonly last_logits_f64_b64: string;
    readonly all_logits_f32_b64?: string;
  }[];
}

/** The golden numbers of the small checkpoint. */
export const GOLDEN: Golden = golden;

/** Folder of the small checkpoint. */
export const TINY_FOLDER: string = new URL(
  "../fixtures/checkpoint/tiny-qwen2",
  import.meta.url,
).pathname;

/** The engine's binding, as the package holds it; verified by other tests. */
export const PACKED_BINDING: string = new URL(
  `../bin/napi-v6/linux/${
    Deno.build.arch === "aarch64" ? "arm64" : "x64"
  }/onnxruntime_binding.node`,
  import.meta.resolve("onnxruntime-node"),
).pathname;

/** The libraries. */
export async function openRuntime(): Promise<ModelRuntime> {
  Deno.env.set("ORT_DISABLE_TELEMETRY", "1");
  return await loadRuntime(PACKED_BINDING);
}

/** The small checkpoint's manifest. */
export const TINY_MANIFEST: CheckpointManifest = readCheckpointManifest(
  Deno.readFileSync(`${TINY_FOLDER}.json`),
);

/** The small checkpoint's network, without its tokenizer. */
export async function openTinyNetwork(): Promise<{
  readonly network: Network;
  readonly runtime: ModelRuntime;
}> {
  const runtime = await openRuntime();
  const checkpoint = verifyCheckpoint(TINY_FOLDER, TINY_MANIFEST);
  const config = readModelConfig(
    checkpoint.contents.get("config.json")!,
    TINY_MANIFEST,
  );
  const weights = checkpoint.files.find(({ name }) => name === WEIGHTS_FILE)!;
  const tensors = readSafetensorsHeader(weights.bytes, checkpoint.readWeights);
  checkpoint.close();
  requireQwen2Tensors(config, tensors);
  const network = await openNetwork(
    runtime.onnx,
    qwen2Graph(config, tensors, WEIGHTS_FILE),
    TINY_FOLDER,
    config,
    ENGINE_THREADS,
  );
  return { network, runtime };
}

/** A copy of the small checkpoint that a test may spoil. */
export function copyTinyCheckpoint(): string {
  const folder = Deno.makeTempDirSync();
  for (const { name } of Deno.readDirSync(TINY_FOLDER)) {
    Deno.copyFileSync(`${TINY_FOLDER}/${name}`, `${folder}/${name}`);
  }
  return folder;
}

/** The manifest of a folder as it is: whatever its files hold is declared. */
export function declareAsIs(folder: string): CheckpointManifest {
  return {
    ...TINY_MANIFEST,
    files: TINY_MANIFEST.files.map(({ name }) => {
      const bytes = Deno.readFileSync(`${folder}/${name}`);
      return { name, bytes: bytes.length, sha256: sha256(bytes) };
    }),
  };
}

/** Changes one of a checkpoint's JSON files. */
export function editJson(
  name: string,
  edit: (value: Record<string, unknown>) => void,
): (folder: string) => void {
  return (folder: string) => {
    const path = `${folder}/${name}`;
    const value = JSON.parse(Deno.readTextFileSync(path));
    edit(value);
    Deno.writeTextFileSync(path, JSON.stringify(value));
  };
}

/** Opens a checkpoint in this thread, with the package's own engine. */
export function openHere(
  folder: string,
  manifest: CheckpointManifest,
  parts?: ModelParts,
): Promise<OpenModel> {
  return openModel(
    { folder, manifest, binding: PACKED_BINDING, threads: ENGINE_THREADS },
    undefined,
    parts,
  );
}
