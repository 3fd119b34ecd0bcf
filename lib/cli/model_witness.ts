// What a run tells of its model: when it was loaded, and with each proposal.
// Both must fit what was declared and the requests that were counted; for the
// lab's own checkpoint they must be what the program pins.

import type { Json, JsonObject } from "../agent/json.ts";
import type {
  Contradiction,
  Inspection,
  Witness,
  WitnessedEvent,
} from "../agent/witness.ts";
import type { Manifest } from "../evidence/manifest.ts";
import { PINNED_CHECKPOINT } from "../model/checkpoint_manifest.ts";
import {
  declaredFacts,
  declaredModel,
  pinnedShape,
} from "../model/declared_model.ts";
import {
  type DeclaredModel,
  type ModelFacts,
  modelFactsSchema,
} from "../model/model_facts_schema.ts";
import { followingFacts } from "../model/proposal_facts.ts";
import {
  MAX_NEW_TOKENS,
  type ProposalFacts,
  proposalFactsSchema,
} from "../model/worker_protocol.ts";
import { z } from "../system/zod.ts";
import { differing, malformed } from "./contradictions.ts";

/** Name of the file whose digest names a model's weights. */
const WEIGHTS = "model.safetensors";
/** Where a source's own facts stand in an event. */
const FACTS = "content.source_facts";

/** A failed or late attempt may still tell how many messages were ignored. */
const ignoredSchema = z.strictObject({ ignored_messages: z.int().positive() });
const attemptFactsSchema = z.strictObject({
  ...proposalFactsSchema.shape,
  ignored_messages: ignoredSchema.shape.ignored_messages.optional(),
});

/** Follows what one run tells of its model. */
export class ModelWitness implements Witness {
  readonly folders: readonly string[] = [];
  readonly notes: readonly string[] = [];
  readonly #isModel: boolean;
  readonly #declared: DeclaredModel | null;
  readonly #runtime: JsonObject;
  #loaded: ModelFacts | null = null;
  #counted: number | null = null;
  #spelled = "";
  #idsBefore: readonly number[] = [];
  /** How often it told of itself, its declaration included. */
  #told = 0;

  /** @param manifest One that holds. */
  constructor({ proposal_source, model, runtime }: Manifest) {
    this.#isModel = proposal_source === "model";
    this.#declared = model as DeclaredModel | null;
    this.#runtime = runtime;
    if (model !== null) this.#told++;
  }

  see({ event, content }: WitnessedEvent): Contradiction | null {
    const { failed, source_facts: told } = content;
    switch (event) {
      case "model_loaded":
        return this.#seeLoaded(failed !== undefined, told);
      case "tokens_counted":
        this.#counted = (content["tokens"] ?? null) as number | null;
        return null;
      case "request_assembled":
        this.#spelled = (content["messages"] as readonly JsonObject[])
          .map((message) => message["content"]).join("\0");
        return null;
      case "proposal_received":
        return this.#seeAttempt(failed !== undefined, told);
      default:
        return null;
    }
  }

  look(): readonly Inspection[] {
    return this.#isModel || this.#told > 0
      ? [{ name: "model", checked: this.#told, contradiction: null }]
      : [];
  }

  #seeLoaded(
    failed: boolean,
    told: Json | undefined,
  ): Contradiction | null {
    if (told === undefined) {
      return this.#isModel && !failed
        ? untold("A model that was loaded says what it is")
        : null;
    }
    if (failed) return untold("What wasn't loaded tells nothing of itself");
    const parsed = modelFactsSchema.safeParse(told);
    if (!parsed.success) {
      return malformed(
        "No loaded model tells this",
        FACTS,
        parsed.error,
        told,
      );
    }
    this.#loaded = parsed.data;
    this.#told++;
    return differing(
      "It isn't what the declared model tells when it is loaded",
      this.#expectedFacts(parsed.data),
      told,
      FACTS,
    );
  }

  /** The facts, with everything that was declared or pinned. */
  #expectedFacts(told: ModelFacts): JsonObject {
    const { bos_token_id, pad_token_id, eos_token_id } = told.generation;
    const declared = this.#declared ?? {
      ...told,
      token_ids: { begin: bos_token_id, pad: pad_token_id, end: eos_token_id },
    };
    const pinned = declared.pinned ? PINNED_CHECKPOINT : null;
    const { begin, pad, end } = declared.token_ids;
    const facts = declaredFacts(
      pinned ?? { ...declared, tokenIds: { begin, pad, end } },
    );
    const files = pinned === null
      ? declared.files
      : declaredModel(pinned)["files"] as unknown as DeclaredModel["files"];
    const { deno, v8 } = this.#runtime as Partial<Record<string, string>>;
    return {
      ...told,
      ...facts,
      files: files.map((file, index) => ({
        ...file,
        sha256: file.sha256 ?? told.files[index]?.sha256 ?? null,
      })),
      shape: pinned === null ? told.shape : pinnedShape(),
      generation_in_force: {
        ...told.generation_in_force,
        ...facts["generation"] as JsonObject,
      },
      versions: {
        ...told.versions,
        ...this.#isModel && deno !== undefined ? { deno } : {},
        ...this.#isModel && v8 !== undefined ? { v8 } : {},
      },
    };
  }

  #seeAttempt(
    failed: boolean,
    told: Json | undefined,
  ): Contradiction | null {
    const counted = this.#counted;
    this.#counted = null;
    if (told === undefined) {
      return this.#isModel && !failed
        ? untold("A model tells how it came to its proposal")
        : null;
    }
    if (failed && ignoredSchema.safeParse(told).success) return null;
    const parsed = attemptFactsSchema.safeParse(told);
    if (!parsed.success) {
      return malformed(
        "No generation tells this",
        FACTS,
        parsed.error,
        told,
      );
    }
    return this.#generationContradiction(parsed.data, counted);
  }

  #generationContradiction(
    told: ProposalFacts,
    counted: number | null,
  ): Contradiction | null {
    const loaded = this.#loaded;
    if (loaded === null) return untold("No model was loaded before");
    const endIds = loaded.generation.eos_token_id;
    const weights = loaded.files.find(({ name }) => name === WEIGHTS);
    const difference = differing(
      "It doesn't follow from the ids and the loaded model",
      followingFacts(told, {
        weightsSha256: weights?.sha256 ?? "",
        endIds,
        idsBefore: this.#idsBefore,
      }),
      told,
      FACTS,
    );
    this.#idsBefore = told.input_ids;
    this.#told++;
    return difference ?? this.#idContradiction(told, counted, endIds) ??
      this.#spellingContradiction(told);
  }

  /** Counts and ends that no generation has. */
  #idContradiction(
    told: ProposalFacts,
    counted: number | null,
    endIds: readonly number[],
  ): Contradiction | null {
    const { input_ids, raw_output_ids: output, input_tokens } = told;
    const of = (field: string) => `${FACTS}.${field}`;
    if (counted !== null && input_tokens !== counted) {
      return {
        message: "The request was counted, and had other tokens",
        field: of("input_tokens"),
        expected: `${counted}`,
        found: `${input_tokens}`,
      };
    }
    const vocabulary = this.#loaded?.shape.vocab_size ?? 0;
    for (
      const [name, ids] of [
        ["input_ids", input_ids],
        ["raw_output_ids", output],
      ] as const
    ) {
      const index = ids.findIndex((id) => id >= vocabulary);
      if (index === -1) continue;
      return {
        message: "The model has no such token",
        field: of(`${name}.${index}`),
        expected: `below ${vocabulary}`,
        found: `${ids[index]}`,
      };
    }
    const end = output.findIndex((id) => endIds.includes(id));
    const ended = end === -1 ? MAX_NEW_TOKENS : end + 1;
    return output.length === ended ? null : {
      message: end === -1
        ? "Without an end token a generation goes on to the most new tokens"
        : "A generation ends with its first end token",
      field: of("raw_output_ids"),
      expected: `${ended} tokens`,
      found: `${output.length} tokens`,
    };
  }

  /** Control tokens that the messages don't spell. */
  #spellingContradiction(
    { neutralised }: ProposalFacts,
  ): Contradiction | null {
    const index = neutralised.findIndex(({ token, count }, at) =>
      count < 1 || occurrences(this.#spelled, token) < count ||
      neutralised.findIndex((other) => other.token === token) !== at
    );
    return index === -1 ? null : {
      message: "The request doesn't spell this token so often",
      field: `${FACTS}.neutralised.${index}`,
    };
  }
}

/** How often a text is found in another, overlapping finds included. */
function occurrences(text: string, wanted: string): number {
  if (wanted === "") return 0;
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; count++) {
    at = text.indexOf(wanted, at + 1);
  }
  return count;
}

function untold(message: string): Contradiction {
  return { message, field: FACTS };
}
