// What a folder is, by the names in it: nothing new is put into a repository, a
// model's folder or a run's.

import { ENGINE_FOLDER, REPOSITORY_MARKS } from "./permissions.ts";
import type { SystemWords } from "./system_words.ts";

/** What the top of a Git repository without a working tree holds. */
const BARE_MARKS = ["HEAD", "objects", "refs"] as const;

/** Files that show what a folder is. */
const OCCUPIED_MARKS = [
  ["acquisition.json", "a model folder"],
  ["model.safetensors", "a model folder"],
  ["audit.jsonl", "another run's folder"],
] as const;

/** All of these names, in lower case: some disks don't tell the cases apart. */
const MARKS: ReadonlySet<string> = new Set(
  [
    ...REPOSITORY_MARKS,
    ...BARE_MARKS,
    ...OCCUPIED_MARKS.map(([mark]) => mark),
    // Native code is loaded from it.
    ENGINE_FOLDER,
  ].map((name) => name.toLowerCase()),
);

/**
 * Whether a name tells what the folder around it is: something new of that name
 * would turn that folder into something else.
 */
export function isMark(name: string): boolean {
  return MARKS.has(name.toLowerCase());
}

/**
 * Why nothing may be put into a folder.
 *
 * @param isThere Whether the folder has an entry of that name.
 * @param shown The folder, as it is told.
 * @returns Null where it is no repository's top, model's or run's folder.
 */
export function occupiedBy(
  isThere: (name: string) => boolean,
  shown: string,
): SystemWords | null {
  const outside = "Choose a folder outside any repository.";
  const mark = REPOSITORY_MARKS.find(isThere);
  if (mark !== undefined) {
    return {
      why: `it lies inside the repository "${shown}" (${mark} exists)`,
      next: outside,
    };
  }
  if (BARE_MARKS.every(isThere)) {
    const names = BARE_MARKS.join(", ");
    return {
      why: `it lies inside the bare repository "${shown}" (${names} exist)`,
      next: outside,
    };
  }
  const occupied = OCCUPIED_MARKS.find(([name]) => isThere(name));
  return occupied === undefined ? null : {
    why: `"${shown}" is ${occupied[1]} (${occupied[0]} exists)`,
    next: "Keep runs and models in separate folders.",
  };
}
