// Lab Part 2: what isn't exactly what was declared is never loaded. Every such
// end is one sentence that a person can act on; it enters the evidence, so it
// names files of the model folder but no path.

import { showSafely } from "../system/safe_text.ts";

/** Most characters of a sentence. */
export const MAX_SENTENCE = 1_000;

/** A checkpoint, engine or request that the model side won't work with. */
export class ModelRefusal extends Error {
  override readonly name = "ModelRefusal";
}

/**
 * Ends the work with one sentence.
 *
 * @throws {ModelRefusal} Always.
 */
export function refuse(sentence: string): never {
  throw new ModelRefusal(sentence);
}

/** A file's name, a key or a value in double quotes, safe to show, cut to fit. */
export function shown(text: string): string {
  return `"${showSafely(cut(text, 80))}"`;
}

/**
 * One sentence about anything that was thrown: a refusal's own, or the first
 * line of another error's message without the paths it may hold.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof ModelRefusal) return cut(error.message, MAX_SENTENCE);
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split("\n", 1)[0]!
    // The engine tells first where in its own sources it failed.
    .replace(/^.*\[ONNXRuntimeError\] : \d+ : \w+ : /, "")
    // A slash within a word, as in "i/o error", begins no path.
    .replace(/(?<!\w)(?:file:\/\/)?(?:\/[^\s/"':;,()]+)+\/?/g, "…");
  return showSafely(cut(line, 300));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
