// Lab Part 8: the checkpoint's own tokenizer and chat template. Control tokens
// are those that the template writes, and no others: where a message spells
// one (`<|im_end|>` in a file, say), its characters reach the model as the
// characters that they are. The text that the model is shown is the same to the
// last byte; only the ids differ from what a plain tokenizer would make of it.

import type { Message } from "../agent/source.ts";
import type { TokenIds } from "./checkpoint_manifest.ts";
import { refuse, sentenceOf } from "./model_refusal.ts";
import type { Transformers } from "./runtime.ts";
import type { DeclaredTokenizer } from "./tokenizer_files.ts";

/** A control token that a message spelled, kept from becoming one. */
export interface Neutralised {
  readonly token: string;
  readonly count: number;
}

/** A prompt as the model gets it. */
export interface EncodedPrompt {
  readonly ids: readonly number[];
  readonly neutralised: readonly Neutralised[];
}

type LibraryTokenizer = InstanceType<Transformers["PreTrainedTokenizer"]>;

/** Turns messages into token ids, and ids into text. */
export class ChatTokenizer {
  readonly #library: LibraryTokenizer;
  readonly #template: string;
  readonly #composes: boolean;
  readonly #control: ReadonlyMap<string, number>;
  readonly #controlText: ReadonlyMap<number, string>;
  readonly #anyControl: RegExp;
  readonly #end: readonly number[];
  readonly #known: (id: number) => boolean;

  /**
   * @param read What `tokenizer.json` and `tokenizer_config.json` declare.
   * @param vocabSize Rows of the network's embedding.
   * @throws {ModelRefusal} If they aren't a tokenizer for that network.
   */
  constructor(
    transformers: Transformers,
    read: DeclaredTokenizer,
    vocabSize: number,
    tokenIds: TokenIds,
  ) {
    this.#template = read.template;
    this.#composes = read.composes;
    this.#control = read.control;
    this.#controlText = new Map(
      [...read.control].map(([text, id]) => [id, text]),
    );
    this.#anyControl = anyOf([...read.control.keys()]);
    this.#end = tokenIds.end;
    this.#known = (id) => read.plain.has(id) || this.#controlText.has(id);
    requireVocabulary([...read.plain, ...read.control.values()], vocabSize);
    for (const id of [tokenIds.begin, tokenIds.pad, ...tokenIds.end]) {
      if (!this.#known(id)) {
        refuse(`The token id ${id} of the manifest isn't in "tokenizer.json"`);
      }
    }
    try {
      // Without the control tokens the library can't find one in any text.
      this.#library = new transformers.PreTrainedTokenizer(
        read.library,
        // What else the file says could change the text on its way.
        { chat_template: read.template, clean_up_tokenization_spaces: false },
      );
    } catch (error) {
      refuse(`"tokenizer.json" isn't usable: ${sentenceOf(error)}`);
    }
  }

  /**
   * Renders messages with the chat template, ready for the answer.
   *
   * @throws {ModelRefusal} If the template writes other control tokens around
   * these messages than around any.
   */
  encode(messages: readonly Message[]): EncodedPrompt {
    const mark = absentCharacter([
      this.#template,
      ...messages.map(({ content }) => content),
    ]);
    const counts = new Map<string, number>();
    const marked = messages.map(({ role, content }) => ({
      role,
      content: this.#broken(content, mark, counts),
    }));
    const rendered = this.#render(marked);
    requireWhole(rendered, marked);
    const pieces = rendered.split(this.#splitAtControl());
    const ids = pieces.flatMap((piece, index) =>
      index % 2 === 1
        ? [this.#control.get(piece)!]
        : this.#encodeText(piece.replaceAll(mark, ""))
    );
    const written = pieces.filter((_, index) => index % 2 === 1);
    this.#requireTemplatesOwn(written, messages);
    return {
      ids,
      neutralised: [...counts].map(([token, count]) => ({ token, count })),
    };
  }

  /**
   * The text of generated ids: all of it, except one terminal end token (lab
   * Part 8). Ids that no token has are left out.
   */
  decode(ids: readonly number[]): string {
    const last = ids.at(-1);
    const kept = last !== undefined && this.#end.includes(last)
      ? ids.slice(0, -1)
      : ids;
    let text = "";
    let run: number[] = [];
    const flush = () => {
      if (run.length === 0) return;
      text += this.#plainText(run);
      run = [];
    };
    for (const id of kept) {
      const control = this.#controlText.get(id);
      if (control !== undefined) {
        flush();
        text += control;
      } else if (this.#known(id)) {
        run.push(id);
      }
    }
    flush();
    return text;
  }

  #plainText(ids: readonly number[]): string {
    if (ids.length === 0) return "";
    return this.#library.decode([...ids], {
      skip_special_tokens: false,
      clean_up_tokenization_spaces: false,
    });
  }

  /** The text with `mark` inside everything that could be a control token. */
  #broken(text: string, mark: string, counts: Map<string, number>): string {
    return text.replace(this.#anyControl, (token) => {
      counts.set(token, (counts.get(token) ?? 0) + 1);
      return `${token.slice(0, 1)}${mark}${token.slice(1)}`;
    });
  }

  #render(messages: readonly Message[]): string {
    return this.#library.apply_chat_template([...messages], {
      tokenize: false,
      add_generation_prompt: true,
    }) as string;
  }

  #splitAtControl(): RegExp {
    return new RegExp(`(${this.#anyControl.source})`, "u");
  }

  #encodeText(text: string): number[] {
    if (text === "") return [];
    const ids = this.#library.encode(text, { add_special_tokens: false });
    if (ids.some((id) => this.#controlText.has(id))) {
      refuse("The tokenizer makes a control token of plain text");
    }
    const asShown = this.#composes ? text.normalize("NFC") : text;
    if (this.#plainText(ids) !== asShown.toWellFormed()) {
      refuse("The tokenizer loses or changes text of the request");
    }
    return ids;
  }

  #requireTemplatesOwn(
    written: readonly string[],
    messages: readonly Message[],
  ): void {
    const neutral = this.#render(
      messages.map(({ role }) => ({ role, content: "x" })),
    ).split(this.#splitAtControl()).filter((_, index) => index % 2 === 1);
    if (written.join() !== neutral.join()) {
      refuse(
        "The chat template writes other control tokens around these messages than around any",
      );
    }
  }
}

/**
 * Checks that a rendered request holds every message, whole and in its order.
 *
 * @throws {ModelRefusal} If it doesn't.
 */
function requireWhole(rendered: string, messages: readonly Message[]): void {
  let from = 0;
  for (const { role, content } of messages) {
    const at = rendered.indexOf(content, from);
    if (at < 0) {
      refuse(
        `The chat template leaves out or changes a message of the ${role}`,
      );
    }
    from = at + content.length;
  }
}

function requireVocabulary(ids: readonly number[], vocabSize: number): void {
  const beyond = ids.find((id) => id >= vocabSize);
  if (beyond !== undefined) {
    refuse(
      `"tokenizer.json" has the token id ${beyond}: the network's vocabulary ends at ${
        vocabSize - 1
      }`,
    );
  }
}

/** Finds any of the texts, the longest that begins at a place. */
function anyOf(texts: readonly string[]): RegExp {
  const alternatives = texts
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(alternatives.join("|"), "gu");
}

/** A private-use character that occurs in none of the texts. */
function absentCharacter(texts: readonly string[]): string {
  for (let code = 0xe000; code <= 0xf8ff; code++) {
    const character = String.fromCharCode(code);
    if (texts.every((text) => !text.includes(character))) return character;
  }
  return refuse("The messages hold every private-use character");
}
