// Lab Part 8: one generation through the library's own generate(), with every
// setting of it stated here and none taken from the checkpoint. What generate()
// takes for an ONNX session is the network with its cache: the library decides
// over tokens, and never sees keys and values.

import type { JsonObject } from "../agent/json.ts";
import type { TokenIds } from "./checkpoint_manifest.ts";
import type { KeyValueCache } from "./key_value_cache.ts";
import type { Network } from "./network.ts";
import type { ModelRuntime } from "./runtime.ts";

/** The lab's settings, with the checkpoint's declared token ids. */
export interface GenerationSettings {
  readonly do_sample: false;
  readonly num_beams: 1;
  readonly num_return_sequences: 1;
  readonly max_new_tokens: number;
  readonly repetition_penalty: 1;
  readonly use_cache: true;
  readonly bos_token_id: number;
  readonly pad_token_id: number;
  readonly eos_token_id: readonly number[];
}

/** The settings of a generation of at most `maxNewTokens` tokens. */
export function generationSettings(
  tokenIds: TokenIds,
  maxNewTokens: number,
): GenerationSettings {
  return {
    do_sample: false,
    num_beams: 1,
    num_return_sequences: 1,
    max_new_tokens: maxNewTokens,
    repetition_penalty: 1,
    use_cache: true,
    bos_token_id: tokenIds.begin,
    pad_token_id: tokenIds.pad,
    eos_token_id: tokenIds.end,
  };
}

/** Generates with a network. */
export class Generator {
  readonly #runtime: ModelRuntime;
  readonly #network: Network;
  readonly #cache: KeyValueCache;
  readonly #model: LibraryModel;

  constructor(runtime: ModelRuntime, network: Network, cache: KeyValueCache) {
    this.#runtime = runtime;
    this.#network = network;
    this.#cache = cache;
    const { Qwen2ForCausalLM, PretrainedConfig } = runtime.transformers;
    const { config } = network;
    // Only what the library needs to know: settings that a checkpoint's files
    // hold beside these would become defaults of the generation.
    const described = new PretrainedConfig({
      model_type: "qwen2",
      architectures: ["Qwen2ForCausalLM"],
      vocab_size: config.vocabSize,
      hidden_size: config.hiddenSize,
      num_hidden_layers: config.layers,
      num_attention_heads: config.attentionHeads,
      num_key_value_heads: config.keyValueHeads,
      max_position_embeddings: config.maxPositions,
      is_encoder_decoder: false,
    });
    this.#model = new Qwen2ForCausalLM(
      described,
      { model: this.#librarySession() },
      { generation_config: null },
    ) as unknown as LibraryModel;
  }

  /** Every setting in force, the library's own defaults included. */
  settingsInForce(settings: GenerationSettings): JsonObject {
    const inForce = this.#model._prepare_generation_config(
      { ...settings, eos_token_id: [...settings.eos_token_id] },
      {},
    );
    return JSON.parse(JSON.stringify(inForce));
  }

  /**
   * Generates until an end token or the most new tokens.
   *
   * @param ids The prompt; the first `cache.length` of them are in the cache.
   * @param onToken Told each generated id as it is decided.
   * @returns The generated ids, an end token included.
   */
  async generate(
    ids: readonly number[],
    settings: GenerationSettings,
    onToken: (id: number) => void = () => {},
  ): Promise<number[]> {
    const { Tensor, DynamicCache } = this.#runtime.transformers;
    const prompt = new Tensor("int64", BigInt64Array.from(ids, BigInt), [
      1,
      ids.length,
    ]);
    let promptSeen = false;
    const output = await this.#model.generate({
      input_ids: prompt,
      attention_mask: new Tensor(
        "int64",
        new BigInt64Array(ids.length).fill(1n),
        [1, ids.length],
      ),
      past_key_values: new DynamicCache({
        "past_key_values.0.key": new Tensor("float32", [], this.#lengthMark()),
      }),
      generation_config: { ...settings },
      streamer: {
        put: (rows) => {
          if (promptSeen) onToken(Number(rows[0]![0]));
          promptSeen = true;
        },
        end: () => {},
      },
    });
    return Array.from(output.data, Number).slice(ids.length);
  }

  // The library reads the number of tokens so far off the last axis but one.
  #lengthMark(): number[] {
    return [1, 0, this.#cache.length, 0];
  }

  #librarySession(): LibrarySession {
    const { Tensor } = this.#runtime.onnx;
    const { vocabSize } = this.#network.config;
    return {
      inputNames: ["input_ids", "num_logits_to_keep"],
      inputMetadata: [],
      outputNames: ["logits", "present.0.key"],
      outputMetadata: [],
      run: async (feeds) => {
        const ids = Array.from(
          feeds["input_ids"]!.data as BigInt64Array,
          Number,
        );
        const logits = await this.#network.forward(ids, this.#cache, 1);
        return {
          logits: new Tensor("float32", logits, [1, 1, vocabSize]),
          "present.0.key": new Tensor(
            "float32",
            new Float32Array(),
            this.#lengthMark(),
          ),
        };
      },
    };
  }
}

type OnnxTensor = import("onnxruntime-node").Tensor;

interface LibrarySession {
  readonly inputNames: readonly string[];
  readonly inputMetadata: readonly never[];
  readonly outputNames: readonly string[];
  readonly outputMetadata: readonly never[];
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
}

/** What of the library's model is used; its own types leave much of it open. */
interface LibraryModel {
  _prepare_generation_config(
    config: Record<string, unknown>,
    rest: Record<string, unknown>,
  ): Record<string, unknown>;
  generate(options: {
    input_ids: unknown;
    attention_mask: unknown;
    past_key_values: unknown;
    generation_config: Record<string, unknown>;
    streamer: { put(rows: bigint[][]): void; end(): void };
  }): Promise<{ readonly data: BigInt64Array }>;
}
