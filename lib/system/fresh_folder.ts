// Lab Part 3: a run directory is created exclusively; an existing destination,
// one inside a repository and an unsafe path are refused.

import { CommandError, EXIT } from "./command_error.ts";
import { errorCode, type Files } from "./files.ts";
import { isMark, occupiedBy } from "./occupied_folder.ts";
import {
  ANCESTOR_LEVELS,
  ANCESTOR_MARKS,
  RUN_MARK_ABOVE,
} from "./permissions.ts";
import { systemWords } from "./system_words.ts";
import { quoteSafely, showSafely } from "./safe_text.ts";

/** Most bytes of a typed path that an error repeats. */
const MAX_SHOWN = 240;

/** A path below the current folder, checked part by part. */
export interface PlannedFolder {
  /** As the user typed it. */
  readonly typed: string;
  /** Absolute, real path that the folder will have. */
  readonly path: string;
  /** Absolute, real path of its parent. */
  readonly parent: string;
}

/**
 * Checks where a fresh folder is to be made; creates nothing.
 *
 * @param purpose What it is, as in "run folder".
 * @throws {CommandError} refused, with the reason.
 */
export function planFreshFolder(
  files: Files,
  typed: string,
  purpose: string,
): PlannedFolder {
  const planned = locate(files, typed, purpose);
  const refuse = refusal(typed, purpose);
  if (factsAt(files, planned.path, refuse) !== null) {
    throw refuse(
      "it exists already",
      "Choose a name that is not taken; nothing is ever overwritten.",
    );
  }
  requireReadable(files, planned.parent, refuse);
  return planned;
}

/** What is made in a folder lasts only once that folder was opened and flushed. */
function requireReadable(files: Files, parent: string, refuse: Refuse): void {
  try {
    files.open(parent).close();
  } catch (error) {
    if (!isPermission(error)) return;
    throw refuse(
      "the folder around it may not be read",
      "Choose a folder that you may read and write.",
    );
  }
}

function isPermission(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes(errorCode(error));
}

/**
 * Creates a planned folder, mode 0700, that must not exist yet.
 *
 * @throws {CommandError} refused, with the reason.
 */
export function createFreshFolder(
  files: Files,
  { typed, path, parent }: PlannedFolder,
  purpose: string,
): void {
  try {
    files.makeFolder(path);
    files.syncFolder(parent);
  } catch (error) {
    throw unusable(error, refusal(typed, purpose));
  }
}

/**
 * Resolves a path below the current folder, refusing links and repositories.
 *
 * @throws {CommandError} refused, with the reason.
 */
function locate(files: Files, typed: string, purpose: string): PlannedFolder {
  const refuse = refusal(typed, purpose);
  const cwd = currentFolder(files, refuse);
  if (cwd === "/") {
    throw refuse(
      'the current folder is "/"',
      "Start tinycoder in a folder of its own.",
    );
  }
  const parts = partsBelow(cwd, typed, refuse);
  refuseRepositories(files, cwd, refuse);
  let parent = cwd;
  for (const part of parts.slice(0, -1)) {
    parent = `${parent}/${part}`;
    const facts = factsAt(files, parent, refuse);
    const shown = parent.slice(cwd.length + 1);
    if (facts === null) {
      throw refuse(
        `its parent "${shown}" does not exist`,
        `Create it first: mkdir -p "${shown}"`,
      );
    }
    if (facts.kind !== "directory") {
      throw refuse(
        `"${shown}" is ${facts.kind === "link" ? "a link" : "not a folder"}`,
        "Choose a path of real folders.",
      );
    }
    refuseOccupied(files, parent, shown, refuse);
  }
  return { typed, path: `${parent}/${parts.at(-1)}`, parent };
}

/** Makes the error for a reason and a remedy. */
export type Refuse = (why: string, next: string) => CommandError;

function refusal(typed: string, purpose: string): Refuse {
  return (why, next) =>
    new CommandError(EXIT.refused, {
      what: `Cannot create the ${purpose} ${quoteSafely(typed, MAX_SHOWN)}`,
      why,
      next,
    });
}

function partsBelow(cwd: string, typed: string, refuse: Refuse): string[] {
  if (typed === "") {
    throw refuse("its name is empty", "Give a name that is not taken.");
  }
  const below = typed.startsWith(`${cwd}/`)
    ? typed.slice(cwd.length + 1)
    : typed;
  const parts = below.split("/").filter((part) => part !== "." && part !== "");
  if (
    below.startsWith("/") || parts.includes("..") || parts.length === 0
  ) {
    throw refuse(
      "it does not lie below the current folder",
      'Give a path below the folder you start tinycoder in, without "..".',
    );
  }
  if (showSafely(below) !== below) {
    throw refuse(
      "its name has characters that can't be shown as they are",
      "Choose a name without control or invisible characters.",
    );
  }
  if (parts.some((part) => part.trim() === "")) {
    throw refuse(
      "a name in it is nothing but spaces",
      "Choose a name that can be seen.",
    );
  }
  const taken = parts.find(isMark);
  if (taken !== undefined) {
    throw refuse(
      `${quoteSafely(taken, MAX_SHOWN)} has a meaning of its own: whatever ` +
        "has that name tells what the folder around it is",
      "Choose another name.",
    );
  }
  if (typed.startsWith("-")) {
    throw refuse(
      "its name reads as an option",
      'Choose a name that does not start with "-".',
    );
  }
  return parts;
}

function refuseRepositories(files: Files, cwd: string, refuse: Refuse): void {
  if (cwd.split("/").length - 1 > ANCESTOR_LEVELS) {
    throw refuse(
      `the current folder lies more than ${ANCESTOR_LEVELS} folders deep, ` +
        "where it can't be checked for a repository around it",
      "Start tinycoder in a folder nearer to the top.",
    );
  }
  for (const mark of ANCESTOR_MARKS) {
    if (factsAt(files, mark, refuse) === null) continue;
    const around = mark.slice(0, mark.lastIndexOf("/"));
    throw refuse(
      `it lies inside the repository "${around}" (${mark} exists)`,
      "Choose a folder outside any repository.",
    );
  }
  if (factsAt(files, RUN_MARK_ABOVE, refuse) !== null) {
    throw refuse(
      `the current folder lies in a run's folder (${RUN_MARK_ABOVE} exists)`,
      "Start tinycoder in a folder outside any run.",
    );
  }
  refuseOccupied(files, cwd, ".", refuse);
}

/** Refuses a folder that is a repository's top, a model's or a run's. */
function refuseOccupied(
  files: Files,
  folder: string,
  shown: string,
  refuse: Refuse,
): void {
  const occupied = occupiedBy(
    (name) => factsAt(files, `${folder}/${name}`, refuse) !== null,
    shown,
  );
  if (occupied !== null) throw refuse(occupied.why, occupied.next);
}

function currentFolder(files: Files, refuse: Refuse): string {
  try {
    return files.realPath(".");
  } catch (error) {
    throw unusable(error, refuse);
  }
}

function factsAt(files: Files, path: string, refuse: Refuse) {
  try {
    return files.facts(path);
  } catch (error) {
    if (isPermission(error)) {
      throw refuse(
        "a folder that it lies in may not be entered",
        "Choose a folder that you may enter and write.",
      );
    }
    throw unusable(error, refuse);
  }
}

function unusable(error: unknown, refuse: Refuse): CommandError {
  const { why, next } = systemWords(error);
  return refuse(why, next);
}
