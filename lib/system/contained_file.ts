// Lab Part 3: reject links, non-regular files and unexpected hard links. The
// order of the checks leaves no step that trusts a name alone: parent, entry,
// open without following, the opened file against the entry, parent again.

import { errorCode, type Files } from "./files.ts";

/** What kept a file from being taken for the managed one. */
export type ContainmentFinding =
  | "missing"
  | "not_regular"
  | "extra_link"
  | "folder_moved"
  | "swapped"
  | "too_large";

/** A contained file's bytes, or why they aren't trusted. */
export type ContainedRead =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly finding: ContainmentFinding };

/**
 * Reads a file that must be a regular, single-link entry of a known folder.
 *
 * @param folder Real path of the folder, as recorded when it was made.
 * @param name A fixed name; never one that came from a proposal.
 * @param maxBytes Most bytes it may have.
 * @throws The system's error where a check can't be answered (I/O fault).
 */
export function readContained(
  files: Files,
  folder: string,
  name: string,
  maxBytes: number,
): ContainedRead {
  const refuse = (finding: ContainmentFinding): ContainedRead => ({
    ok: false,
    finding,
  });
  const path = `${folder}/${name}`;
  try {
    if (files.realPath(folder) !== folder) return refuse("folder_moved");
    const entry = files.facts(path);
    if (entry === null) return refuse("missing");
    if (entry.kind !== "file") return refuse("not_regular");
    if (entry.links !== 1) return refuse("extra_link");
    const file = files.open(path);
    try {
      const opened = file.facts();
      if (opened.kind !== "file") return refuse("not_regular");
      if (opened.dev !== entry.dev || opened.ino !== entry.ino) {
        return refuse("swapped");
      }
      if (opened.links !== 1) return refuse("extra_link");
      const bytes = file.read(maxBytes + 1);
      if (bytes.length > maxBytes) return refuse("too_large");
      if (files.realPath(folder) !== folder) return refuse("folder_moved");
      return { ok: true, bytes };
    } finally {
      file.close();
    }
  } catch (error) {
    switch (errorCode(error)) {
      case "ENOENT":
        return refuse("missing");
      case "ENOTDIR":
        return refuse("folder_moved");
      case "ELOOP":
        return refuse("not_regular");
      default:
        throw error;
    }
  }
}
