// The network as a session of ONNX Runtime: tokens in, logits out, and what
// attention has to remember kept in a cache.

import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { KeyValueCache } from "./key_value_cache.ts";
import type { ModelConfig } from "./model_config.ts";
import { GraphValue, KEEP_NONE } from "./graph_values.ts";
import type { OnnxRuntime } from "./runtime.ts";

/** A network that can be run. */
export interface Network {
  readonly config: ModelConfig;
  /**
   * Runs tokens that follow those in the cache, and adds them to it.
   *
   * @param logits Of how many of the last tokens logits are wanted.
   * @returns That many rows of `config.vocabSize` logits.
   */
  forward(
    ids: readonly number[],
    cache: KeyValueCache,
    logits: number,
  ): Promise<Float32Array>;
  /** Gives its memory back. */
  release(): Promise<void>;
}

/** Threads of the engine (lab Part 8). */
export interface EngineThreads {
  /** Within one operator. */
  readonly intraOp: number;
  /** Operators at a time. */
  readonly interOp: number;
}

/**
 * Makes a session of a graph; its weights are read from `folder`.
 *
 * @throws What the engine throws.
 */
export async function openNetwork(
  onnx: OnnxRuntime,
  graph: Uint8Array,
  folder: string,
  config: ModelConfig,
  threads: EngineThreads,
): Promise<Network> {
  const session = await onnx.InferenceSession.create(graph, {
    executionProviders: ["cpu"],
    intraOpNumThreads: threads.intraOp,
    interOpNumThreads: threads.interOp,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 4,
    extra: {
      session: {
        model_external_initializers_file_folder_path: folder,
        // Packed copies of all weights would take longer to make than a trial
        // of six calls gains by them; see the measurements in the README.
        disable_prepacking: "1",
      },
    },
  });
  return new SessionNetwork(onnx, session, config);
}

class SessionNetwork implements Network {
  readonly #onnx: OnnxRuntime;
  readonly #session: InferenceSession;

  constructor(
    onnx: OnnxRuntime,
    session: InferenceSession,
    readonly config: ModelConfig,
  ) {
    this.#onnx = onnx;
    this.#session = session;
  }

  async forward(
    ids: readonly number[],
    cache: KeyValueCache,
    logits: number,
  ): Promise<Float32Array> {
    const { Tensor } = this.#onnx;
    const ints = (values: readonly number[]) =>
      new Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);
    const feeds: Record<string, Tensor> = {
      [GraphValue.inputIds]: ints(ids),
      [GraphValue.positions]: ints(ids.map((_, index) => cache.length + index)),
      [GraphValue.keep]: ints([logits === 0 ? KEEP_NONE : logits]),
    };
    const { layers, keyValueHeads, headSize } = this.config;
    for (const kind of ["key", "value"] as const) {
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < keyValueHeads; head++) {
          feeds[GraphValue.past(kind, layer, head)] = new Tensor(
            "float32",
            cache.past(kind, layer, head),
            [cache.length, headSize],
          );
        }
      }
    }
    const results = await this.#session.run(feeds);
    const floats = (name: string) => results[name]!.data as Float32Array;
    cache.append(
      ids.length,
      (kind, layer) => floats(GraphValue.added(kind, layer)),
    );
    return floats(GraphValue.logits);
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}
