// A file that is whole or not there: what a failed write created is taken away.

import { createWhole, type Files } from "./files.ts";

/**
 * Creates `path` with these bytes, or leaves nothing of it. A file that was there
 * before is never touched.
 *
 * @throws The disk's error.
 */
export function createOrNothing(
  files: Files,
  path: string,
  bytes: Uint8Array,
): void {
  let created = false;
  const watched: Files = {
    ...files,
    create: (name) => {
      const file = files.create(name);
      created = true;
      return file;
    },
  };
  try {
    createWhole(watched, path, bytes);
  } catch (error) {
    if (created) removeQuietly(files, path);
    throw error;
  }
}

/** Removes a file if it can; the error that led here says more than a second. */
export function removeQuietly(files: Files, path: string): void {
  try {
    files.remove(path);
  } catch {
    // What made the write fail may make this fail too.
  }
}
