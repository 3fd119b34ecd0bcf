// From a declared checkpoint to one that can be asked: verify, load, confirm.
// Nothing of the folder is believed that was not verified by the same reading.

import { ChatTokenizer } from "./chat_tokenizer.ts";
import {
  confirmUnchanged,
  verifyCheckpoint,
  WEIGHTS_FILE,
} from "./checkpoint_files.ts";
import { LoadedModel, type OpenModel } from "./loaded_model.ts";
import { readModelConfig } from "./model_config.ts";
import { modelFacts } from "./model_facts.ts";
import { ModelRefusal, refuse, sentenceOf } from "./model_refusal.ts";
import { openNetwork } from "./network.ts";
import { qwen2Graph } from "./qwen2_graph.ts";
import { requireQwen2Tensors } from "./qwen2_tensors.ts";
import { loadRuntime } from "./runtime.ts";
import { readSafetensorsHeader } from "./safetensors_header.ts";
import { Stopwatch } from "./stopwatch.ts";
import { readTokenizerFiles } from "./tokenizer_files.ts";
import type { LoadCall, LoadStage } from "./worker_protocol.ts";

/** What loading is made of; a test puts something else in a part's place. */
export interface ModelParts {
  readonly loadRuntime: typeof loadRuntime;
  readonly openNetwork: typeof openNetwork;
}

/** The real parts. */
export const MODEL_PARTS: ModelParts = { loadRuntime, openNetwork };

/** What is to be opened. */
export type ModelToOpen = Omit<LoadCall, "type" | "call">;

/** Told how loading goes on. */
export type LoadProgress = (stage: LoadStage, verifiedBytes: number) => void;

/**
 * Opens a model.
 *
 * @throws {ModelRefusal} If it isn't what its manifest declares, or not one
 * that this program runs.
 */
export async function openModel(
  load: ModelToOpen,
  progress: LoadProgress = () => {},
  parts: ModelParts = MODEL_PARTS,
): Promise<OpenModel> {
  const { folder, manifest, threads } = load;
  const times = new Stopwatch();
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  progress("verify", 0);
  const checkpoint = verifyCheckpoint(
    folder,
    manifest,
    (bytes) => progress("verify", bytes),
  );
  try {
    const { files, contents, readWeights } = checkpoint;
    const config = readModelConfig(contents.get("config.json")!, manifest);
    const weights = files.find(({ name }) => name === WEIGHTS_FILE)!;
    const tensors = readSafetensorsHeader(weights.bytes, readWeights);
    requireQwen2Tensors(config, tensors);
    times.lap("verify");
    // Before any native code: what isn't known is refused by itself.
    const declared = readTokenizerFiles({
      tokenizer: contents.get("tokenizer.json")!,
      config: contents.get("tokenizer_config.json")!,
    });
    times.lap("tokenizer");
    progress("libraries", total);
    const runtime = await parts.loadRuntime(load.binding);
    times.lap("libraries");
    progress("tokenizer", total);
    const tokenizer = new ChatTokenizer(
      runtime.transformers,
      declared,
      config.vocabSize,
      manifest.tokenIds,
    );
    times.lap("tokenizer");
    progress("session", total);
    const graph = qwen2Graph(config, tensors, WEIGHTS_FILE);
    const network = await parts.openNetwork(
      runtime.onnx,
      graph,
      folder,
      config,
      threads,
    ).catch((error) => {
      if (error instanceof ModelRefusal) throw error;
      refuse(`The engine can't load the weights: ${sentenceOf(error)}`);
    });
    try {
      // The engine opened the weights by name, after they were verified.
      confirmUnchanged(folder, files);
      times.lap("session");
      return new LoadedModel(
        { runtime, tokenizer, network },
        { tokenIds: manifest.tokenIds, weightsSha256: weights.sha256 },
        (inForce) =>
          modelFacts({
            manifest,
            files,
            config,
            graph,
            runtime,
            times,
            inForce,
          }),
      );
    } catch (error) {
      await network.release();
      throw error;
    }
  } finally {
    checkpoint.close();
  }
}
