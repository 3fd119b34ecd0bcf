// `--out FILE`: a result as a file below the current folder. It is whole or not
// there, and replaces another only when told to.

import { CommandError, EXIT } from "../system/command_error.ts";
import { createOrNothing, removeQuietly } from "../system/create_or_nothing.ts";
import type { FileFacts, Files } from "../system/files.ts";
import { showSafely } from "../system/safe_text.ts";
import { systemWords } from "../system/system_words.ts";
import type { Invocation } from "./command.ts";
import { quoteTyped } from "./quote_typed.ts";
import type { Terminal } from "./terminal.ts";

/** Options of every command that can write its result. */
export const OUT_OPTIONS = [
  { flags: "--out <FILE>", description: "write the result to FILE" },
  { flags: "--force", description: "replace FILE if it exists" },
] as const;

/**
 * Writes a command's result to the file that `--out` names, or to stdout.
 *
 * @throws {CommandError} refused, with the reason.
 */
export function deliver(
  files: Files,
  text: string,
  { options }: Invocation,
  terminal: Terminal,
): void {
  const { out, force } = options;
  if (typeof out !== "string") {
    if (force === true) {
      throw new CommandError(EXIT.usage, {
        what: "Cannot use --force",
        why: "there is no --out to replace",
        next: "Add --out FILE, or leave --force out.",
      });
    }
    return terminal.out(text);
  }
  writeResult(files, out, new TextEncoder().encode(text), force === true);
  terminal.note(`Written: ${showSafely(out)}\n`);
}

/**
 * Writes a file by temporary file and rename.
 *
 * @param typed Its path, as typed.
 * @param replace Whether an existing regular file is replaced.
 * @throws {CommandError} refused, with the reason.
 */
export function writeResult(
  files: Files,
  typed: string,
  bytes: Uint8Array,
  replace: boolean,
): void {
  const refuse = (why: string, next: string, cause?: unknown) =>
    new CommandError(EXIT.refused, {
      what: `Cannot write ${quoteTyped(typed)}`,
      why,
      next,
    }, cause);
  try {
    const { folder, name } = place(files, typed, refuse);
    const path = `${folder}/${name}`;
    const there = files.facts(path);
    refuseEntry(there, replace, refuse);
    const part = `${folder}/.${name}.part`;
    if (files.facts(part) !== null) files.remove(part);
    createOrNothing(files, part, bytes);
    try {
      // Between this check and the rename no other code of ours runs; a rename
      // would replace silently what somebody else just put there.
      if (there === null && files.facts(path) !== null) {
        throw refuse("it exists already", FORCE);
      }
      files.rename(part, path);
    } catch (error) {
      removeQuietly(files, part);
      throw error;
    }
    files.syncFolder(folder);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { why, next } = systemWords(error);
    throw refuse(why, next, error);
  }
}

type Refuse = (why: string, next: string, cause?: unknown) => CommandError;

const FORCE = "Choose another name, or add --force to replace it.";

function place(
  files: Files,
  typed: string,
  refuse: Refuse,
): { folder: string; name: string } {
  if (typed === "") throw refuse("its name is empty", "Give a file's name.");
  const cwd = files.realPath(".");
  const inside = typed.startsWith(`${cwd}/`)
    ? typed.slice(cwd.length + 1)
    : typed;
  const parts = inside.split("/").filter((part) => part !== "." && part !== "");
  const name = parts.pop();
  if (
    inside.startsWith("/") || parts.includes("..") ||
    name === undefined || name === ".." || /\/\.?$/.test(inside)
  ) {
    throw refuse(
      "it is no file below the current folder",
      'Give a path below the folder you start tinycoder in, without "..".',
    );
  }
  if (showSafely(inside) !== inside) {
    throw refuse(
      "its name has characters that can't be shown as they are",
      "Choose a name without control or invisible characters.",
    );
  }
  if (typed.startsWith("-")) {
    throw refuse(
      "its name reads as an option",
      'Choose a name that does not start with "-".',
    );
  }
  let folder = cwd === "/" ? "" : cwd;
  for (const part of parts) {
    folder = `${folder}/${part}`;
    const kind = files.facts(folder)?.kind ?? "absent";
    if (kind === "directory") continue;
    throw refuse(
      kind === "absent"
        ? "the folder around it does not exist"
        : kind === "link"
        ? "a folder around it is a link"
        : "a part of it is not a folder",
      kind === "absent"
        ? "Choose a folder that exists."
        : "Choose a path of real folders.",
    );
  }
  // A file more would break what a run's or a model's folder is.
  for (const [mark, what] of SEALED) {
    const around = parts.map((_, at) => [cwd, ...parts.slice(0, at + 1)]);
    for (const path of [[cwd], ...around].map((one) => one.join("/"))) {
      if (files.facts(`${path}/${mark}`) === null) continue;
      throw refuse(
        `it lies inside ${what}`,
        "Choose a place outside the evidence.",
      );
    }
  }
  return { folder, name };
}

const SEALED = [
  ["audit.jsonl", "a run's folder"],
  ["acquisition.json", "a model folder"],
  ["model.safetensors", "a model folder"],
] as const;

const ENTRY_WORDS = {
  directory: "folder",
  link: "link",
  other: "special file",
} as const;

function refuseEntry(
  there: FileFacts | null,
  replace: boolean,
  refuse: Refuse,
): void {
  if (there === null) return;
  if (there.kind !== "file") {
    throw refuse(
      `it is a ${ENTRY_WORDS[there.kind]}`,
      "Choose another name.",
    );
  }
  if (!replace) throw refuse("it exists already", FORCE);
}
