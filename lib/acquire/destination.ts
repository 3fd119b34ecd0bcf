// Where a model folder may be. A fresh one follows the
// rules of every fresh folder; one that exists is continued only if this program
// made it, and everything else is left alone.

import type { Files } from "../system/files.ts";
import { planFreshFolder, type PlannedFolder } from "../system/fresh_folder.ts";
import { readWords } from "../system/read_words.ts";
import { ANCESTOR_MARKS, REPOSITORY_MARKS } from "../system/permissions.ts";
import { LEDGER_NAME, PART_SUFFIX } from "./checkpoint_plan.ts";
import { type Attempted, refuse } from "./refusal.ts";

/** A folder that may be acquired into. */
export type Destination =
  /** There is nothing yet. */
  | { readonly kind: "fresh"; readonly planned: PlannedFolder }
  /** What a start that was killed before its first ledger left. */
  | {
    readonly kind: "unfinished";
    readonly planned: PlannedFolder;
    readonly leftover: readonly string[];
  }
  /** An own earlier folder. */
  | { readonly kind: "existing"; readonly path: string };

/**
 * Judges where a user wants the model; creates nothing.
 *
 * @throws {CommandError} where a fresh folder may not be made there.
 */
export function modelDestination(
  files: Files,
  typed: string,
): Attempted<{ readonly destination: Destination }> {
  const found = existingFolder(files, typed, "Cannot use the model folder");
  if (!found.ok) return found;
  if (found.path === null) {
    const planned = planFreshFolder(files, typed, "model folder");
    return { ok: true, destination: { kind: "fresh", planned } };
  }
  const { path } = found;
  const entries = files.list(path);
  if (entries.includes(LEDGER_NAME)) {
    return { ok: true, destination: { kind: "existing", path } };
  }
  const part = `${LEDGER_NAME}${PART_SUFFIX}`;
  const isOwn = (Deno.lstatSync(path).mode ?? 0o777) % 0o1000 === 0o700;
  if (isOwn && entries.every((entry) => entry === part)) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    const planned = { typed, path, parent };
    return {
      ok: true,
      destination: { kind: "unfinished", planned, leftover: entries },
    };
  }
  return refuse(
    "destination_refused",
    `Cannot use the model folder "${typed}"`,
    "it exists and was not made by an acquisition",
    "Choose a name that is not taken; nothing is ever overwritten",
  );
}

/**
 * Finds a folder below the current one, no part of whose path is a link and
 * around which there is no repository.
 *
 * @param what What can't be done otherwise, without the folder's name.
 * @returns Its real path; null where nothing has that name.
 */
export function existingFolder(
  files: Files,
  typed: string,
  what: string,
): Attempted<{ readonly path: string | null }> {
  const fail = (why: string, next: string) =>
    refuse("destination_refused", `${what} "${typed}"`, why, next);
  const outside = () =>
    fail(
      "it does not lie below the current folder",
      'Give a path below the folder you start tinycoder in, without ".."',
    );
  if (typed === "") {
    return fail("its name is empty", "Give a folder below the current one");
  }
  const cwd = files.realPath(".");
  const below = typed.startsWith(`${cwd}/`)
    ? typed.slice(cwd.length + 1)
    : typed;
  const parts = below.split("/").filter((part) => part !== "." && part !== "");
  if (
    below.startsWith("/") || parts.includes("..") || parts.length === 0 ||
    below.includes("\0")
  ) return outside();
  let path = cwd;
  for (const part of parts) {
    path = `${path}/${part}`;
    try {
      const facts = files.facts(path);
      if (facts === null) return { ok: true, path: null };
      if (facts.kind !== "directory") {
        return fail(
          `"${path.slice(cwd.length + 1)}" is ${
            facts.kind === "link" ? "a link" : "not a folder"
          }`,
          "Choose a path of real folders",
        );
      }
    } catch (error) {
      return fail(
        readWords(error),
        "Choose another folder",
      );
    }
  }
  let around: string | null;
  try {
    around = repositoryAround(files, cwd, parts);
  } catch (error) {
    return fail(readWords(error), "Choose another folder");
  }
  return around === null ? { ok: true, path } : fail(
    `it lies inside a repository (${around} exists)`,
    "Choose a folder outside any repository",
  );
}

function repositoryAround(
  files: Files,
  cwd: string,
  parts: readonly string[],
): string | null {
  const inside = [".", ...parts].map((_, count) =>
    parts.slice(0, count).map((part) => `${part}/`).join("")
  );
  for (const folder of inside) {
    for (const mark of REPOSITORY_MARKS) {
      if (files.facts(`${cwd}/${folder}${mark}`) !== null) {
        return `${folder}${mark}`;
      }
    }
  }
  return ANCESTOR_MARKS.find((mark) => files.facts(mark) !== null) ?? null;
}
