// A tokenizer as its files declare it, before a library makes one of them: of a
// kind that this program knows, with nothing in it that asks for code.

import { isDeepStrictEqual } from "node:util";
import { sha256 } from "../system/sha256.ts";
import {
  bytePairVocabulary,
  isObject,
  isTokenId,
  MAX_TOKEN_BYTES,
  type Vocabulary,
} from "./byte_pair_model.ts";
import {
  KNOWN_LAYOUTS,
  KNOWN_TEMPLATES,
  LAYOUT_PARTS,
} from "./known_tokenizers.ts";
import { refuse, shown } from "./model_refusal.ts";

/** Bytes of `tokenizer.json` and `tokenizer_config.json`. */
export interface TokenizerBytes {
  readonly tokenizer: Uint8Array;
  readonly config: Uint8Array;
}

/** What the files declare. */
export interface DeclaredTokenizer {
  /** What a library makes a tokenizer of; it holds no control token. */
  readonly library: Readonly<Record<string, unknown>>;
  /** Whether the network gets a text in Unicode's composed form (NFC). */
  readonly composes: boolean;
  readonly template: string;
  /** Ids of control tokens, by their text. */
  readonly control: ReadonlyMap<string, number>;
  /** Ids of all other tokens. */
  readonly plain: ReadonlySet<number>;
}

/** Most control tokens: a generation's record has room for as many. */
export const MAX_CONTROL_TOKENS = 256;

/** Keys of `tokenizer.json`. */
const KEYS: readonly string[] = [
  "version",
  "truncation",
  "padding",
  "added_tokens",
  ...LAYOUT_PARTS,
  "model",
];

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
 * @throws {ModelRefusal} If they declare anything but a byte-pair tokenizer of
 * a known layout, with control tokens and a known chat template.
 */
export function readTokenizerFiles(files: TokenizerBytes): DeclaredTokenizer {
  const tokenizer = jsonObject("tokenizer.json", files.tokenizer);
  const config = jsonObject("tokenizer_config.json", files.config);
  const template = chatTemplate(config);
  requireKnownParts(tokenizer);
  const vocabulary = bytePairVocabulary(tokenizer["model"]);
  const control = controlTokens(tokenizer, vocabulary);
  return {
    library: { ...tokenizer, added_tokens: [] },
    composes: tokenizer["normalizer"] !== null,
    template,
    control,
    plain: vocabulary.ids,
  };
}

function jsonObject(name: string, bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    );
    if (isObject(value)) return value;
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
  const digest = sha256(template);
  if (!KNOWN_TEMPLATES.has(digest)) {
    refuse(
      `"tokenizer_config.json" has a chat template that this program doesn't know (SHA-256 ${digest}): it could leave out messages, or add to them`,
    );
  }
  return template;
}

function requireKnownParts(tokenizer: Record<string, unknown>): void {
  const unknown = Object.keys(tokenizer).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    refuse(
      `"tokenizer.json" has ${shown(unknown)}, which this program doesn't know`,
    );
  }
  for (const key of ["truncation", "padding"]) {
    if ((tokenizer[key] ?? null) !== null) {
      refuse(`"tokenizer.json" has "${key}", which would change what is shown`);
    }
  }
  const isOf = (layout: (typeof KNOWN_LAYOUTS)[number]) =>
  (
    part: (typeof LAYOUT_PARTS)[number],
  ) => isDeepStrictEqual(tokenizer[part], layout[part]);
  if (KNOWN_LAYOUTS.some((layout) => LAYOUT_PARTS.every(isOf(layout)))) return;
  const part = LAYOUT_PARTS.find((part) =>
    !KNOWN_LAYOUTS.some((layout) => isOf(layout)(part))
  );
  refuse(
    part === undefined
      ? `"tokenizer.json" mixes the parts of two known tokenizers`
      : `"tokenizer.json" has a "${part}" that this program doesn't know: it could change what the model is shown, or what it says`,
  );
}

/** No one begins within another, so a text has them in one way only. */
const CONTROL = new RegExp(`^<[!-;=?-~]{1,${MAX_TOKEN_BYTES - 2}}>$`);

function controlTokens(
  tokenizer: Record<string, unknown>,
  vocabulary: Vocabulary,
): ReadonlyMap<string, number> {
  const { added_tokens: added } = tokenizer;
  if (!Array.isArray(added) || added.length === 0) {
    refuse(`"tokenizer.json" has no added tokens, so no turn could end`);
  }
  if (added.length > MAX_CONTROL_TOKENS) {
    refuse(
      `"tokenizer.json" has ${added.length} added tokens: the most is ${MAX_CONTROL_TOKENS}`,
    );
  }
  const control = new Map<string, number>();
  const ids = new Set<number>();
  for (const token of added) {
    const { id, content, ...settings } = isObject(token) ? token : {};
    if (!isTokenId(id) || typeof content !== "string") {
      refuse(`"tokenizer.json" has an added token without id or content`);
    }
    const named = `"tokenizer.json" has the added token ${shown(content)}`;
    if (!CONTROL.test(content)) {
      refuse(
        `${named}: a control token is one word of plain characters in angle brackets`,
      );
    }
    const { special, ...wider } = settings;
    if (
      typeof special !== "boolean" ||
      Object.values(wider).some((setting) => setting !== false)
    ) refuse(`${named}, which takes more than its own text`);
    const ownId = vocabulary.idOf(content);
    if (
      control.has(content) || ids.has(id) ||
      (ownId === undefined ? vocabulary.ids.has(id) : ownId !== id)
    ) refuse(`${named}, whose text or id another token has`);
    ids.add(id);
    control.set(content, id);
  }
  return control;
}
