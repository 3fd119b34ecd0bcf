// What a model's run declares and tells, without a model: facts that fit each
// other as a real trial's do. Ids are made of the text in steps of a few
// characters, so that requests share their beginnings as real ones do.

import type { JsonObject } from "../lib/agent/json.ts";
import type { Attempt, Loaded, Message, Source } from "../lib/agent/source.ts";
import {
  type CheckpointManifest,
  PINNED_CHECKPOINT,
} from "../lib/model/checkpoint_manifest.ts";
import { declaredFacts, declaredModel } from "../lib/model/declared_model.ts";
import { readModelConfig } from "../lib/model/model_config.ts";
import { modelFacts } from "../lib/model/model_facts.ts";
import { followingFacts } from "../lib/model/proposal_facts.ts";
import { sha256 } from "../lib/system/sha256.ts";
import { TINY_FOLDER, TINY_MANIFEST } from "./model_fixture.ts";

/** Characters of a message that make one id: few enough for a block's reuse. */
const ID_CHARACTERS = 15;
/** Below every vocabulary here, and none of them ends a generation. */
const IDS = { first: 16, count: 200 };

/** A checkpoint, and its configuration's bytes. */
interface ToldCheckpoint {
  readonly manifest: CheckpointManifest;
  readonly config: Uint8Array;
}

/** The lab's checkpoint. */
export const PINNED: ToldCheckpoint = {
  manifest: PINNED_CHECKPOINT,
  config: new TextEncoder().encode(JSON.stringify(PINNED_CHECKPOINT.config)),
};

/** A declared extension. */
export const EXTENSION: ToldCheckpoint = {
  manifest: TINY_MANIFEST,
  config: Deno.readFileSync(`${TINY_FOLDER}/config.json`),
};

/** What a run's manifest says of a model. */
export function toldDeclaration(
  { manifest }: ToldCheckpoint,
  acquisition: JsonObject | null = null,
): JsonObject {
  return {
    ...declaredModel(manifest),
    agreed_to: "Load this model?",
    acquisition,
  };
}

/** What a core trial's manifest says of its acquisition. */
export const TOLD_ACQUISITION: JsonObject = {
  ledger_sha256: "0".repeat(64),
  elapsed_s: 90,
  payload_bytes: 999_597_691,
  within_window: true,
};

/** What a model tells when it is loaded. */
export function toldLoaded({ manifest, config }: ToldCheckpoint): Loaded {
  const facts = modelFacts({
    manifest,
    files: manifest.files.map(({ name, bytes, sha256: digest, ...file }) => ({
      name,
      bytes,
      sha256: digest ?? sha256(name),
      gitBlobSha1: file.gitBlobSha1 ?? null,
    })),
    config: readModelConfig(config, manifest),
    graph: new TextEncoder().encode("a graph"),
    runtime: {
      versions: {
        deno: "2.9.4",
        v8: "15.0",
        transformers_js: "4.3.2",
        onnxruntime_node: "1.30.0",
      },
    },
    times: {
      all: () => ({ verify: 2, libraries: 1, tokenizer: 1, session: 3 }),
    },
    inForce: {
      ...declaredFacts(manifest)["generation"] as JsonObject,
      top_k: 50,
    },
  });
  return { elapsed_ms: 7, source_facts: facts };
}

/** What of an attempt is the model's answer, and how many ids it took. */
export interface ToldAnswer {
  readonly text: string;
  /** Ids of the output; an end token is put behind them, unless it is full. */
  readonly outputIds: readonly number[];
}

/**
 * A source that tells what a model tells.
 *
 * @param answers In order; after them it fails.
 */
export function toldSource(
  checkpoint: ToldCheckpoint,
  answers: readonly ToldAnswer[],
): Source {
  const { files, tokenIds } = checkpoint.manifest;
  const weights = files.find(({ name }) => name === "model.safetensors");
  let idsBefore: readonly number[] = [];
  return {
    load: () => Promise.resolve(toldLoaded(checkpoint)),
    countTokens: (messages) =>
      Promise.resolve({ tokens: idsOf(messages).length }),
    propose: ({ proposalNumber, messages }): Promise<Attempt> => {
      const answer = answers[proposalNumber - 1];
      if (answer === undefined) {
        return Promise.resolve({
          failed: "model_error",
          detail: "The call failed",
          elapsed_ms: 1.5,
        });
      }
      const { text, outputIds } = answer;
      const [end] = tokenIds.end;
      const ids = idsOf(messages);
      const facts = followingFacts({
        weights_sha256: "",
        input_tokens: 0,
        input_ids: ids,
        input_sha256: "",
        reused_tokens: 0,
        output_tokens: 0,
        raw_output_ids: outputIds.length === 128
          ? [...outputIds]
          : [...outputIds, end!],
        ceiling_reached: false,
        // As if this word were a control token.
        neutralised: [{ token: "CONTRACT", count: 1 }],
        elapsed_ms: { tokenize: 1, prefill: 2, decode: 3 },
      }, {
        weightsSha256: weights?.sha256 ?? "",
        endIds: tokenIds.end,
        idsBefore,
      });
      idsBefore = ids;
      return Promise.resolve({
        proposal_text: text,
        elapsed_ms: 6.5,
        source_facts: facts,
      });
    },
  };
}

function idsOf(messages: readonly Message[]): number[] {
  const text = messages.map(({ content }) => content).join("");
  const ids: number[] = [];
  for (let at = 0; at < text.length; at += ID_CHARACTERS) {
    const digest = sha256(text.slice(at, at + ID_CHARACTERS));
    ids.push(IDS.first + parseInt(digest.slice(0, 8), 16) % IDS.count);
  }
  return ids;
}
