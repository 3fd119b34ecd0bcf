// Lab Part 8: nothing lies between a message and the network's input, or between
// the network's output and a proposal, that this program doesn't know to the
// last setting. A decoder could write text that no network generated; a
// normalizer or a template could keep a message from the network.

/** What of `tokenizer.json` turns text into pieces, and pieces into text. */
export interface TokenizerLayout {
  readonly normalizer: unknown;
  readonly pre_tokenizer: unknown;
  readonly post_processor: unknown;
  readonly decoder: unknown;
}

/** The parts of a layout, in the order of a text's way. */
export const LAYOUT_PARTS = [
  "normalizer",
  "pre_tokenizer",
  "post_processor",
  "decoder",
] as const;

const byteLevel = (setting: boolean) => ({
  type: "ByteLevel",
  add_prefix_space: setting,
  trim_offsets: setting,
  use_regex: setting,
});

/** Qwen2's, as it is published. */
const QWEN2: TokenizerLayout = {
  normalizer: { type: "NFC" },
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      {
        type: "Split",
        pattern: {
          Regex:
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
        },
        behavior: "Isolated",
        invert: false,
      },
      byteLevel(false),
    ],
  },
  post_processor: byteLevel(false),
  decoder: byteLevel(false),
};

/** SmolLM2's: no normalizer, digits apart. */
const SMOLLM2: TokenizerLayout = {
  normalizer: null,
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      { type: "Digits", individual_digits: true },
      { ...byteLevel(true), add_prefix_space: false },
    ],
  },
  post_processor: null,
  decoder: byteLevel(true),
};

/** The layouts that this program runs. */
export const KNOWN_LAYOUTS: readonly TokenizerLayout[] = [QWEN2, SMOLLM2];

/** SHA-256 of the text of each chat template that this program renders. */
export const KNOWN_TEMPLATES: ReadonlySet<string> = new Set([
  // Qwen2.5's, of the pinned checkpoint.
  "cd8e9439f0570856fd70470bf8889ebd8b5d1107207f67a5efb46e342330527f",
  // The one of this project's own small checkpoints (tasks/make_checkpoint.ts):
  // every message in its turn, and nothing else.
  "e772b6ad1ea2a9b717ead97c3d9266a75e14489ec55a751b956003420d7b4981",
  // SmolLM2's.
  "872be49dbb638044ad01b60388f48d469ff2980e5f0dccdc22ec907db54d0788",
]);

/** Settings of a byte-pair model; an absent one counts as its first value. */
export const BYTE_PAIR_SETTINGS: Readonly<Record<string, readonly unknown[]>> =
  {
    dropout: [null],
    unk_token: [null],
    continuing_subword_prefix: [null, ""],
    end_of_word_suffix: [null, ""],
    fuse_unk: [false],
    byte_fallback: [false],
    ignore_merges: [false],
  };

/** The letter that a byte-level vocabulary has for each byte. */
export const BYTE_LETTERS: readonly string[] = byteLetters();

function byteLetters(): string[] {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) ||
    byte >= 0xae;
  let next = 256;
  return Array.from(
    { length: 256 },
    (_, byte) => String.fromCharCode(printable(byte) ? byte : next++),
  );
}
