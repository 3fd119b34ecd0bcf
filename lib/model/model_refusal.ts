// Lab Part 2: what isn't exactly what was declared is never loaded. Every such
// end is one sentence that a person can act on; it enters the evidence, so it
// names files of the model folder but no path.

import { showSafely } from "../system/safe_text.ts";

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
  const cut = text.length <= 80 ? text : `${text.slice(0, 79)}…`;
  return `"${showSafely(cut)}"`;
}

/**
 * One sentence about anything that was thrown: a refusal's own, or the first
 * line of another error's message without the paths it may hold.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof ModelRefusal) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split("\n", 1)[0]!.replace(
    /(?:file:\/\/)?(?:\/[^\s/"':;,()]+)+\/?/g,
    "…",
  );
  const cut = line.length <= 300 ? line : `${line.slice(0, 299)}…`;
  return showSafely(cut);
}
