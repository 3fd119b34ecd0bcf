// A byte-level byte-pair tokenizer of any size, in the form of the pinned
// checkpoint's: what small checkpoints need to be whole. The same corpus gives
// the same files.

import { BYTE_LETTERS } from "../lib/model/known_tokenizers.ts";

/** A tokenizer's two files. */
export interface TokenizerFiles {
  readonly tokenizer: string;
  readonly config: string;
}

/** How a text falls into pieces before bytes are paired; Qwen2's own pattern. */
const PIECES =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** Renders a chat as Qwen2.5's template does where there are no tools. */
const CHAT_TEMPLATE =
  "{%- for message in messages %}{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";

/**
 * Makes a tokenizer.
 *
 * @param corpus Text whose most frequent pairs become tokens.
 * @param vocabSize Number of token ids, control tokens included; the ids that
 *   the corpus can't fill stay unused.
 * @param control Control tokens by id.
 * @throws {RangeError} If not even the 256 bytes fit.
 */
export function byteLevelTokenizer(
  corpus: string,
  vocabSize: number,
  control: ReadonlyMap<number, string>,
): TokenizerFiles {
  const free = Array.from({ length: vocabSize }, (_, id) => id)
    .filter((id) => !control.has(id));
  if (free.length < 256) {
    throw new RangeError(
      `A vocabulary of ${vocabSize} has no room for all bytes`,
    );
  }
  const vocab: Record<string, number> = {};
  for (const letter of BYTE_LETTERS) vocab[letter] = free.shift()!;
  // Elsewhere a control token outside of the vocabulary gets the next free id.
  for (const [id, text] of control) vocab[text] = id;
  const merges: [string, string][] = [];
  let words = countedWords(corpus);
  while (free.length > 0) {
    const pair = mostFrequentPair(words);
    if (pair === null) break;
    const joined = pair.join("");
    merges.push(pair);
    if (!(joined in vocab)) vocab[joined] = free.shift()!;
    words = words.map(({ parts, count }) => ({
      parts: join(parts, pair),
      count,
    }));
  }
  const added = [...control].toSorted(([a], [b]) => a - b).map((
    [id, content],
  ) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const byteLevel = {
    type: "ByteLevel",
    add_prefix_space: false,
    trim_offsets: false,
    use_regex: false,
  };
  return {
    tokenizer: `${
      JSON.stringify({
        version: "1.0",
        truncation: null,
        padding: null,
        added_tokens: added,
        normalizer: { type: "NFC" },
        pre_tokenizer: {
          type: "Sequence",
          pretokenizers: [
            {
              type: "Split",
              pattern: { Regex: PIECES },
              behavior: "Isolated",
              invert: false,
            },
            byteLevel,
          ],
        },
        post_processor: byteLevel,
        decoder: byteLevel,
        model: {
          type: "BPE",
          dropout: null,
          unk_token: null,
          continuing_subword_prefix: "",
          end_of_word_suffix: "",
          fuse_unk: false,
          byte_fallback: false,
          vocab,
          merges: merges.map((pair) => pair.join(" ")),
        },
      })
    }\n`,
    config: `${
      JSON.stringify(
        {
          add_bos_token: false,
          add_prefix_space: false,
          bos_token: null,
          chat_template: CHAT_TEMPLATE,
          clean_up_tokenization_spaces: false,
          eos_token: "<|im_end|>",
          errors: "replace",
          model_max_length: 32768,
          pad_token: "<|endoftext|>",
          split_special_tokens: false,
          tokenizer_class: "Qwen2Tokenizer",
          unk_token: null,
        },
        null,
        2,
      )
    }\n`,
  };
}

interface CountedWord {
  readonly parts: readonly string[];
  readonly count: number;
}

function countedWords(corpus: string): CountedWord[] {
  const counts = new Map<string, number>();
  for (const [word] of corpus.matchAll(new RegExp(PIECES, "gu"))) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const bytes = new TextEncoder();
  return [...counts].map(([word, count]) => ({
    parts: Array.from(bytes.encode(word), (byte) => BYTE_LETTERS[byte]!),
    count,
  }));
}

function mostFrequentPair(
  words: readonly CountedWord[],
): [string, string] | null {
  const counts = new Map<string, number>();
  for (const { parts, count } of words) {
    for (let index = 1; index < parts.length; index++) {
      const key = `${parts[index - 1]} ${parts[index]}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  let best: string | null = null;
  for (const [key, count] of counts) {
    const most = best === null ? 0 : counts.get(best)!;
    // Ties by the text, so that the order of the corpus decides nothing.
    if (count > most || (count === most && best !== null && key < best)) {
      best = key;
    }
  }
  return best === null ? null : best.split(" ") as [string, string];
}

function join(
  parts: readonly string[],
  [left, right]: readonly [string, string],
): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    if (part === right && joined.at(-1) === left) {
      joined[joined.length - 1] = left + right;
    } else {
      joined.push(part);
    }
  }
  return joined;
}
