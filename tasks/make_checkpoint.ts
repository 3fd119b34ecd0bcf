// Makes a checkpoint of random weights, of any size, in exactly the layout of
// the pinned one: what tests and measurements use where the real weights can't
// be had. The same arguments give the same bytes. Such a checkpoint is always a
// declared extension; its manifest is written beside it.
//
// usage: deno run -A tasks/make_checkpoint.ts FOLDER [--size tiny|pinned]
//        [--seed N] [--small-files FOLDER] [--label TEXT]
//
// --small-files names a folder with the pinned checkpoint's seven small files,
// which are copied; without it a small tokenizer is made of the lab's own
// prompts. Writes FOLDER, and FOLDER.json: the manifest for `--checkpoint`.

import { createHash } from "node:crypto";
import pinnedTable from "../fixtures/checkpoint/qwen2.5-coder-0.5b-instruct.json" with {
  type: "json",
};
import { contractText } from "../lib/lab/contract/contract_text.ts";
import { SYSTEM_INSTRUCTION } from "../lib/lab/instruction.ts";
import { TASK_TEXT } from "../lib/lab/managed_files.ts";
import type { ModelConfig } from "../lib/model/model_config.ts";
import { qwen2Tensors } from "../lib/model/qwen2_tensors.ts";
import { byteLevelTokenizer } from "./byte_level_tokenizer.ts";
import { TaskUsage } from "./usage.ts";

/** A checkpoint to make. */
export interface CheckpointToMake {
  readonly config: ModelConfig;
  readonly seed: number;
  readonly label: string;
  /** Standard deviation of the weights; larger ones make livelier networks. */
  readonly deviation: number;
  /** Files beside the weights, by name; what isn't there is made. */
  readonly smallFiles: Readonly<Record<string, Uint8Array | string>>;
  readonly tokenIds: {
    readonly begin: number;
    readonly pad: number;
    readonly end: readonly number[];
  };
}

/** A network small enough for any test. */
export const TINY_CONFIG: ModelConfig = {
  vocabSize: 512,
  hiddenSize: 64,
  intermediateSize: 160,
  layers: 2,
  attentionHeads: 4,
  keyValueHeads: 2,
  headSize: 16,
  rmsNormEpsilon: 1e-6,
  ropeTheta: 1e6,
  maxPositions: 32_768,
};

/** The pinned checkpoint's size. */
export const PINNED_CONFIG: ModelConfig = {
  vocabSize: pinnedTable.config.vocab_size,
  hiddenSize: pinnedTable.config.hidden_size,
  intermediateSize: pinnedTable.config.intermediate_size,
  layers: pinnedTable.config.num_hidden_layers,
  attentionHeads: pinnedTable.config.num_attention_heads,
  keyValueHeads: pinnedTable.config.num_key_value_heads,
  headSize: pinnedTable.config.hidden_size /
    pinnedTable.config.num_attention_heads,
  rmsNormEpsilon: pinnedTable.config.rms_norm_eps,
  ropeTheta: pinnedTable.config.rope_theta,
  maxPositions: pinnedTable.config.max_position_embeddings,
};

/** Token ids of the small tokenizer. */
export const TINY_TOKEN_IDS = { begin: 0, pad: 7, end: [3, 7] } as const;

/** The small tokenizer, made of the lab's prompts. */
export function tinyTokenizer(vocabSize: number): Record<string, string> {
  const { tokenizer, config } = byteLevelTokenizer(
    [SYSTEM_INSTRUCTION, TASK_TEXT, contractText()].join("\n"),
    vocabSize,
    new Map([[0, "<|im_start|>"], [3, "<|im_end|>"], [7, "<|endoftext|>"]]),
  );
  return { "tokenizer.json": tokenizer, "tokenizer_config.json": config };
}

/**
 * Writes a checkpoint into `folder`, which is made if it isn't there.
 *
 * @returns Its manifest, for `--checkpoint`.
 */
export function makeCheckpoint(
  folder: string,
  checkpoint: CheckpointToMake,
): Record<string, unknown> {
  const { config, tokenIds, smallFiles, label } = checkpoint;
  Deno.mkdirSync(folder, { recursive: true });
  const files = {
    "config.json": `${JSON.stringify(configFile(config, tokenIds), null, 2)}\n`,
    ...smallFiles,
  };
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === "string"
      ? new TextEncoder().encode(content)
      : content;
    Deno.writeFileSync(`${folder}/${name}`, bytes);
  }
  writeWeights(`${folder}/model.safetensors`, checkpoint);
  return {
    label,
    files: [...Object.keys(files), "model.safetensors"].map((name) => ({
      name,
      bytes: Deno.statSync(`${folder}/${name}`).size,
      sha256: fileSha256(`${folder}/${name}`),
    })),
    token_ids: tokenIds,
  };
}

function configFile(
  config: ModelConfig,
  tokenIds: CheckpointToMake["tokenIds"],
): Record<string, unknown> {
  return {
    ...pinnedTable.config,
    bos_token_id: tokenIds.begin,
    eos_token_id: tokenIds.end[0],
    head_dim: config.headSize,
    hidden_size: config.hiddenSize,
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.maxPositions,
    max_window_layers: config.layers,
    num_attention_heads: config.attentionHeads,
    num_hidden_layers: config.layers,
    num_key_value_heads: config.keyValueHeads,
    rms_norm_eps: config.rmsNormEpsilon,
    rope_theta: config.ropeTheta,
    vocab_size: config.vocabSize,
  };
}

function writeWeights(path: string, checkpoint: CheckpointToMake): void {
  const tensors = qwen2Tensors(checkpoint.config);
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  let end = 0;
  for (const [name, shape] of tensors) {
    const begin = end;
    end += 2 * elements(shape);
    header[name] = { dtype: "BF16", shape, data_offsets: [begin, end] };
  }
  const text = JSON.stringify(header);
  const bytes = new TextEncoder().encode(
    text.padEnd(8 * Math.ceil(text.length / 8)),
  );
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length), true);
  using file = Deno.openSync(path, {
    write: true,
    create: true,
    truncate: true,
  });
  writeAll(file, length);
  writeAll(file, bytes);
  const numbers = new RandomBfloat16(checkpoint.seed, checkpoint.deviation);
  for (const [name, shape] of tensors) {
    const values = name.endsWith("norm.weight")
      ? numbers.aroundOne(elements(shape))
      : numbers.normal(elements(shape));
    writeAll(file, new Uint8Array(values.buffer));
  }
}

function elements(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

function fileSha256(path: string): string {
  const hash = createHash("sha256");
  const step = new Uint8Array(1 << 20);
  using file = Deno.openSync(path);
  for (;;) {
    const count = file.readSync(step);
    if (count === null) return hash.digest("hex");
    hash.update(step.subarray(0, count));
  }
}

/** Random BF16 numbers, the same for the same seed on every machine. */
class RandomBfloat16 {
  #state: number;
  /** Normal numbers to draw runs of; half a billion made one by one take long. */
  readonly #pool: Uint16Array;

  constructor(seed: number, deviation: number) {
    this.#state = seed >>> 0;
    this.#pool = Uint16Array.from({ length: 1 << 18 }, () => {
      // Sum of uniform numbers: only additions, so that no machine's logarithm
      // or cosine decides over a bit.
      let sum = -6;
      for (let count = 0; count < 12; count++) sum += this.#uniform();
      return bfloat16(sum * deviation);
    });
  }

  normal(count: number): Uint16Array {
    const values = new Uint16Array(count);
    for (let at = 0; at < count; at += 1_024) {
      const begin = Math.floor(this.#uniform() * (this.#pool.length - 1_024));
      values.set(
        this.#pool.subarray(begin, begin + Math.min(1_024, count - at)),
        at,
      );
    }
    return values;
  }

  aroundOne(count: number): Uint16Array {
    return Uint16Array.from(
      { length: count },
      () => bfloat16(0.9 + 0.2 * this.#uniform()),
    );
  }

  // Mulberry32.
  #uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  }
}

const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/** The nearest BF16 number's bits; ties to even. */
function bfloat16(value: number): number {
  FLOAT[0] = value;
  const bits = BITS[0]!;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

function main(): void {
  const usage = new TaskUsage(import.meta.url);
  const { operands, options } = usage.read([1, 1], {
    size: { type: "string", default: "tiny" },
    seed: { type: "string" },
    "small-files": { type: "string" },
    label: { type: "string" },
  });
  const folder = operands[0]!;
  const size = usage.oneOf("--size", options.size, ["tiny", "pinned"]);
  const seed = usage.whole("--seed", options.seed, 1, 0);
  const copied = options["small-files"];
  if (copied !== undefined) {
    for (const { name } of pinnedTable.files) {
      if (name === "model.safetensors") continue;
      usage.present("Each of --small-files", `${copied}/${name}`, "file");
    }
  }
  const pinned = size === "pinned";
  const config = pinned ? PINNED_CONFIG : TINY_CONFIG;
  const manifest = makeCheckpoint(folder, {
    config,
    seed,
    label: options.label ?? `random-${size}-${seed}`,
    deviation: pinned ? 0.02 : 0.15,
    smallFiles: copied === undefined
      ? tinyTokenizer(Math.min(config.vocabSize, 4_096))
      : pinnedSmallFiles(copied),
    tokenIds: copied === undefined ? TINY_TOKEN_IDS : pinnedTable.token_ids,
  });
  Deno.writeTextFileSync(
    `${folder}.json`,
    `${JSON.stringify(manifest, null, 2)}\n`,
  );
}

function pinnedSmallFiles(folder: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    pinnedTable.files
      .filter(({ name }) => name !== "model.safetensors")
      .map(({ name }) => [name, Deno.readFileSync(`${folder}/${name}`)]),
  );
}

if (import.meta.main) main();
