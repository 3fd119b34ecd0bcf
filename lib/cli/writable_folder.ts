// Whether something new may be made in the current folder: by the rules of every
// fresh folder, and by trying.

import { CommandError } from "../system/command_error.ts";
import { createOrNothing, removeQuietly } from "../system/create_or_nothing.ts";
import type { Files } from "../system/files.ts";
import { planFreshFolder } from "../system/fresh_folder.ts";
import { type SystemWords, systemWords } from "../system/system_words.ts";

/** Bytes that are written to see whether there is room: some five baselines. */
const TRIED_BYTES = 256 * 1024;

/**
 * Why the current folder is no place for anything new: a repository, a run's or
 * a model's folder, `/`, or one that can't be looked at. Writes nothing.
 *
 * @returns Null where it is a place.
 */
export function placeFault(files: Files): SystemWords | null {
  try {
    planFreshFolder(files, unusedName(), "folder");
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error.text;
    throw error;
  }
}

/**
 * Why nothing can be written into a folder, found by writing a file and taking it
 * away again.
 *
 * @param folder Its real path.
 * @returns Null where it can.
 */
export function writeFault(files: Files, folder: string): SystemWords | null {
  const path = `${folder}/${unusedName()}`;
  try {
    createOrNothing(files, path, new Uint8Array(TRIED_BYTES));
  } catch (error) {
    return systemWords(error);
  }
  removeQuietly(files, path);
  return null;
}

function unusedName(): string {
  return `.tinycoder-${crypto.randomUUID()}`;
}
