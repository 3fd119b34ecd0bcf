// The vocabulary of a byte-pair tokenizer: every token is bytes, each written as
// one letter, so that what a token says is its bytes and nothing else.

import { BYTE_LETTERS, BYTE_PAIR_SETTINGS } from "./known_tokenizers.ts";
import { refuse, shown } from "./model_refusal.ts";

/**
 * Most bytes of one token: as many tokens as one proposal has at most are no
 * longer than the longest text that the worker may answer with.
 */
export const MAX_TOKEN_BYTES = 256;

/** Most tokens, and most pairs of them that are joined. */
export const MAX_TOKENS = 1 << 20;

/** The tokens of a byte-pair model. */
export interface Vocabulary {
  readonly ids: ReadonlySet<number>;
  /** The id of a token's text; undefined where there is no such token. */
  idOf(text: string): number | undefined;
}

/**
 * Reads the vocabulary of a byte-pair model.
 *
 * @param model The part of `tokenizer.json` that has that name.
 * @throws {ModelRefusal} If it isn't one, or has settings, tokens or pairs other
 * than those of the tokenizers that this program knows.
 */
export function bytePairVocabulary(model: unknown): Vocabulary {
  if (
    !isObject(model) || model["type"] !== "BPE" || !isObject(model["vocab"])
  ) {
    refuse(`"tokenizer.json" isn't a byte-pair tokenizer`);
  }
  const { type: _, vocab, merges, ...settings } = model;
  for (const [key, value] of Object.entries(settings)) {
    if (!(BYTE_PAIR_SETTINGS[key] ?? []).includes(value)) {
      refuse(
        `"tokenizer.json" has a byte-pair model with ${
          shown(key)
        } other than in any tokenizer that this program knows`,
      );
    }
  }
  requirePairs(merges);
  const tokens = vocab as Record<string, number>;
  const texts = Object.keys(tokens);
  if (texts.length > MAX_TOKENS) {
    refuse(
      `"tokenizer.json" has ${texts.length} tokens: the most is ${MAX_TOKENS}`,
    );
  }
  requireWrittenBytes(texts);
  const ids = new Set<number>();
  for (const text of texts) {
    const id = tokens[text];
    if (!isTokenId(id)) {
      refuse(`"tokenizer.json" has the token ${shown(text)} without an id`);
    }
    if (ids.has(id)) {
      refuse(`"tokenizer.json" has two tokens with the id ${id}`);
    }
    ids.add(id);
  }
  return {
    ids,
    idOf: (text) => Object.hasOwn(tokens, text) ? tokens[text] : undefined,
  };
}

function requireWrittenBytes(texts: readonly string[]): void {
  const strange = texts.find((text) => {
    if (text === "" || text.length > MAX_TOKEN_BYTES) return true;
    for (let at = 0; at < text.length; at++) {
      if (IS_LETTER[text.charCodeAt(at)] !== 1) return true;
    }
    return false;
  });
  if (strange === undefined) return;
  refuse(
    `"tokenizer.json" has the token ${
      shown(strange)
    }, which isn't from 1 to ${MAX_TOKEN_BYTES} written bytes`,
  );
}

/** One at the code of each letter that stands for a byte. */
const IS_LETTER = new Uint8Array(1 << 16);
for (const letter of BYTE_LETTERS) IS_LETTER[letter.charCodeAt(0)] = 1;

function requirePairs(merges: unknown): void {
  if (!Array.isArray(merges)) {
    refuse(`"tokenizer.json" has no list of the pairs that are joined`);
  }
  if (merges.length > MAX_TOKENS) {
    refuse(
      `"tokenizer.json" joins ${merges.length} pairs: the most is ${MAX_TOKENS}`,
    );
  }
  // The library takes all pairs for what the first one is.
  const written = typeof merges[0] === "string";
  const isPair = (pair: unknown) =>
    written
      ? typeof pair === "string" && isTwoWords(pair)
      : Array.isArray(pair) && pair.length === 2 &&
        pair.every((part) => typeof part === "string" && part !== "");
  if (!merges.every(isPair)) {
    refuse(`"tokenizer.json" joins something that isn't a pair of tokens`);
  }
}

function isTwoWords(text: string): boolean {
  const space = text.indexOf(" ");
  return space > 0 && space < text.length - 1 &&
    text.indexOf(" ", space + 1) < 0;
}

/** Whether a value can be a token's id. */
export function isTokenId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
