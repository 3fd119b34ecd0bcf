// Lab Part 8: format the messages, tokenize, check the budget, generate, decode
// what is new. What the network generates is all that ever comes out of here.

import type { JsonObject } from "../agent/json.ts";
import type { Message } from "../agent/source.ts";
import type { ChatTokenizer } from "./chat_tokenizer.ts";
import type { TokenIds } from "./checkpoint_manifest.ts";
import { generationSettings, Generator } from "./generation.ts";
import { KeyValueCache } from "./key_value_cache.ts";
import { refuse } from "./model_refusal.ts";
import type { Network } from "./network.ts";
import { PrefixPrefill } from "./prefix_prefill.ts";
import { inputDigest } from "./proposal_facts.ts";
import type { ModelRuntime } from "./runtime.ts";
import { Stopwatch } from "./stopwatch.ts";
import {
  MAX_INPUT_TOKENS,
  MAX_NEW_TOKENS,
  MAX_TEXT_BYTES,
  type ProposalFacts,
} from "./worker_protocol.ts";

/** How a generation goes on. */
export interface ProposeProgress {
  readonly stage: "prefill" | "decode";
  /** Tokens of that stage so far. */
  readonly tokens: number;
  readonly inputTokens: number;
  /** Of the tokens that were computed now. */
  readonly tokensPerSecond: number;
  /** Text generated so far; made when it is asked for. */
  readonly text: () => string;
}

/** One generation. */
export interface GeneratedProposal {
  readonly text: string;
  readonly facts: ProposalFacts;
}

/** A checkpoint, ready to be asked. */
export interface OpenModel {
  /** What the record keeps of it. */
  readonly facts: JsonObject;
  /** Input tokens of messages, the chat template's included. */
  countTokens(messages: readonly Message[]): number;
  /**
   * Generates one answer, greedily.
   *
   * @throws {ModelRefusal} If the input is too long, or what the engine throws.
   */
  propose(
    messages: readonly Message[],
    maxNewTokens: number,
    progress: (step: ProposeProgress) => void,
  ): Promise<GeneratedProposal>;
  /** Gives its memory back. */
  close(): Promise<void>;
}

/** The verified checkpoint in memory. */
export class LoadedModel implements OpenModel {
  readonly facts: JsonObject;
  readonly #tokenizer: ChatTokenizer;
  readonly #network: Network;
  readonly #prefill: PrefixPrefill;
  readonly #generator: Generator;
  readonly #identity: {
    readonly tokenIds: TokenIds;
    readonly weightsSha256: string;
  };

  /**
   * @param describe Makes the record's facts of the settings in force.
   */
  constructor(
    parts: {
      readonly runtime: ModelRuntime;
      readonly tokenizer: ChatTokenizer;
      readonly network: Network;
    },
    identity: { readonly tokenIds: TokenIds; readonly weightsSha256: string },
    describe: (inForce: JsonObject) => JsonObject,
  ) {
    this.#tokenizer = parts.tokenizer;
    this.#network = parts.network;
    this.#identity = identity;
    const { config } = parts.network;
    const cache = new KeyValueCache(
      config,
      Math.min(MAX_INPUT_TOKENS + MAX_NEW_TOKENS, config.maxPositions),
    );
    this.#prefill = new PrefixPrefill(parts.network, cache);
    this.#generator = new Generator(parts.runtime, parts.network, cache);
    this.facts = describe(this.#generator.settingsInForce(
      generationSettings(identity.tokenIds, MAX_NEW_TOKENS),
    ));
  }

  countTokens(messages: readonly Message[]): number {
    return this.#tokenizer.encode(messages).ids.length;
  }

  async propose(
    messages: readonly Message[],
    maxNewTokens: number,
    progress: (step: ProposeProgress) => void,
  ): Promise<GeneratedProposal> {
    const { tokenIds, weightsSha256 } = this.#identity;
    const times = new Stopwatch();
    const { ids, neutralised } = this.#tokenizer.encode(messages);
    this.#requireRoom(ids.length, maxNewTokens);
    times.lap("tokenize");
    const raw: number[] = [];
    const tell = (
      stage: ProposeProgress["stage"],
      tokens: number,
      computed: number,
    ) => {
      const seconds = times.sinceLap() / 1_000;
      progress({
        stage,
        tokens,
        inputTokens: ids.length,
        tokensPerSecond: seconds > 0 ? computed / seconds : 0,
        text: () => this.#tokenizer.decode(raw),
      });
    };
    const { reused } = await this.#prefill.prepare(
      ids,
      (tokens, computed) => tell("prefill", tokens, computed),
    );
    const output = await this.#generator.generate(
      ids,
      generationSettings(tokenIds, maxNewTokens),
      (id) => {
        if (raw.push(id) === 1) times.lap("prefill");
        tell("decode", raw.length, raw.length - 1);
      },
    );
    times.lap("decode");
    return {
      text: this.#boundedText(output),
      facts: {
        weights_sha256: weightsSha256,
        input_tokens: ids.length,
        input_ids: [...ids],
        input_sha256: inputDigest(ids),
        reused_tokens: reused,
        output_tokens: output.length,
        raw_output_ids: output,
        ceiling_reached: !tokenIds.end.includes(output.at(-1)!),
        neutralised: neutralised.map((one) => ({ ...one })),
        elapsed_ms: {
          tokenize: times.of("tokenize"),
          prefill: times.of("prefill"),
          decode: times.of("decode"),
        },
      },
    };
  }

  async close(): Promise<void> {
    await this.#network.release();
  }

  #requireRoom(inputTokens: number, maxNewTokens: number): void {
    const { maxPositions } = this.#network.config;
    if (maxNewTokens < 1 || maxNewTokens > MAX_NEW_TOKENS) {
      refuse(
        `Cannot generate ${maxNewTokens} tokens: from 1 to ${MAX_NEW_TOKENS} is possible`,
      );
    }
    if (inputTokens > MAX_INPUT_TOKENS) {
      refuse(
        `The input has ${inputTokens} tokens: the most is ${MAX_INPUT_TOKENS}`,
      );
    }
    if (inputTokens + maxNewTokens > maxPositions) {
      refuse(
        `The input has ${inputTokens} tokens and ${maxNewTokens} may follow: the network has ${maxPositions} positions`,
      );
    }
  }

  #boundedText(output: readonly number[]): string {
    const text = this.#tokenizer.decode(output);
    if (new TextEncoder().encode(text).length > MAX_TEXT_BYTES) {
      refuse(`The generated text has more than ${MAX_TEXT_BYTES} bytes`);
    }
    return text;
  }
}
