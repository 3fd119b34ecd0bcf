// A tokenizer as its files declare it, before a library makes one of them: of a
// kind that this program knows, with nothing in it that asks for code.

import { refuse, shown } from "./model_refusal.ts";

/** Bytes of `tokenizer.json` and `tokenizer_config.json`. */
export interface TokenizerBytes {
  readonly tokenizer: Uint8Array;
  readonly config: Uint8Array;
}

/** What the files declare. */
export interface DeclaredTokenizer {
  /** The files' values. */
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly template: string;
  /** Ids of control tokens, by their text. */
  readonly control: ReadonlyMap<string, number>;
  /** Ids of all other tokens. */
  readonly plain: ReadonlySet<number>;
}

/** Classes that say nothing beyond what `tokenizer.json` says. */
const KNOWN_CLASSES = [
  "Qwen2Tokenizer",
  "Qwen2TokenizerFast",
  "GPT2Tokenizer",
  "GPT2TokenizerFast",
  "PreTrainedTokenizerFast",
];

/**
 * Reads a tokenizer's files.
 *
 * @throws {ModelRefusal} If they declare anything else than a byte-pair
 * tokenizer with control tokens and a chat template.
 */
export function readTokenizerFiles(files: TokenizerBytes): DeclaredTokenizer {
  const tokenizer = jsonObject("tokenizer.json", files.tokenizer);
  const config = jsonObject("tokenizer_config.json", files.config);
  return {
    tokenizer,
    config,
    template: chatTemplate(config),
    control: controlTokens(tokenizer),
    plain: plainVocabulary(tokenizer),
  };
}

function jsonObject(name: string, bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    );
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Refused below: the bytes are the declared ones, so they never were JSON.
  }
  return refuse(`"${name}" isn't a JSON object`);
}

function chatTemplate(config: Record<string, unknown>): string {
  if ("auto_map" in config) {
    refuse(
      `"tokenizer_config.json" has "auto_map", which asks for code from outside: this program runs none`,
    );
  }
  const { tokenizer_class: name, chat_template: template } = config;
  if (typeof name !== "string" || !KNOWN_CLASSES.includes(name)) {
    refuse(
      `"tokenizer_config.json" asks for the tokenizer ${
        shown(String(name))
      }, which this program doesn't know`,
    );
  }
  if (typeof template !== "string") {
    refuse(`"tokenizer_config.json" has no chat template`);
  }
  return template;
}

function controlTokens(
  tokenizer: Record<string, unknown>,
): ReadonlyMap<string, number> {
  const { added_tokens: added } = tokenizer;
  if (!Array.isArray(added) || added.length === 0) {
    refuse(`"tokenizer.json" has no added tokens, so no turn could end`);
  }
  return new Map(added.map((token) => {
    const { id, content, lstrip, rstrip, single_word } = token ?? {};
    if (
      !Number.isSafeInteger(id) || id < 0 || typeof content !== "string" ||
      content.length < 2
    ) refuse(`"tokenizer.json" has an added token without id or content`);
    if (lstrip || rstrip || single_word) {
      refuse(
        `"tokenizer.json" has the added token ${
          shown(content)
        }, which takes more than its own text`,
      );
    }
    return [content, id];
  }));
}

function plainVocabulary(
  tokenizer: Record<string, unknown>,
): ReadonlySet<number> {
  const model = tokenizer["model"] as Record<string, unknown> | null;
  const vocabulary = model?.["vocab"];
  if (
    model?.["type"] !== "BPE" || vocabulary === null ||
    typeof vocabulary !== "object"
  ) refuse(`"tokenizer.json" isn't a byte-pair tokenizer`);
  return new Set(Object.values(vocabulary as Record<string, number>));
}
