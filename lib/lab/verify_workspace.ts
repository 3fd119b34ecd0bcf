// Backups and workspace against the receipts: which bytes must lie where follows
// from the run's own events, by digest.

import type { Contradiction, Inspection } from "../agent/witness.ts";
import {
  type ContainmentFinding,
  readContained,
} from "../system/contained_file.ts";
import type { Files } from "../system/files.ts";
import { sha256 } from "../system/sha256.ts";
import { MAX_SOURCE_BYTES } from "./expression/limits.ts";

/** What a file's bytes must be. */
export type ClaimedBytes =
  | {
    readonly sha256: string;
    /** Whether it may also be absent. */
    readonly optional?: true;
  }
  /** Any bytes at all, or none: the run claims nothing about them. */
  | "unclaimed";

/** What must lie in one folder of a run, by name. */
export interface ClaimedFolder {
  readonly name: string;
  readonly files: ReadonlyMap<string, ClaimedBytes>;
  /** Whether the folder itself may be absent. */
  readonly optional: boolean;
}

/**
 * Compares one folder's files with what the run claims of them.
 *
 * @throws The system's error where a file can't be read at all.
 */
export function inspectFolder(
  files: Files,
  runFolder: string,
  claimed: ClaimedFolder,
): Inspection {
  const { name } = claimed;
  const folder = `${runFolder}/${name}`;
  let checked = 0;
  const differs = (contradiction: Contradiction): Inspection => ({
    name,
    checked,
    contradiction,
  });
  const facts = files.facts(folder);
  const claims = [...claimed.files.values()];
  const nothing = claims.length > 0 &&
    claims.every((bytes) => bytes === "unclaimed");
  if (
    (facts === null && claimed.optional) ||
    (facts?.kind !== "directory" && nothing)
  ) return { name, checked, contradiction: null };
  if (facts?.kind !== "directory") {
    return differs({
      ...facts === null ? MISSING : {},
      file: name,
      message: facts === null ? "The folder is missing" : "It isn't a folder",
    });
  }
  for (const entry of files.list(folder)) {
    if (!claimed.files.has(entry)) {
      return differs({
        code: "extra_file",
        file: `${name}/${entry}`,
        message: "No edit of this run makes such a file",
      });
    }
  }
  for (const [entry, bytes] of claimed.files) {
    if (bytes === "unclaimed") continue;
    const file = `${name}/${entry}`;
    const read = readContained(files, folder, entry, MAX_SOURCE_BYTES);
    if (!read.ok) {
      if (read.finding === "missing" && bytes.optional) continue;
      return differs({
        ...read.finding === "missing" ? MISSING : {},
        file,
        message: WORDS[read.finding],
      });
    }
    const found = sha256(read.bytes);
    if (found !== bytes.sha256) {
      return differs({
        file,
        message: "Its bytes aren't those of the run's receipts",
        expected: `SHA-256 ${bytes.sha256}`,
        found: `SHA-256 ${found}, ${read.bytes.length} bytes`,
      });
    }
    checked++;
  }
  return { name, checked, contradiction: null };
}

const MISSING = { code: "missing_file" } as const;

const WORDS: Readonly<Record<ContainmentFinding, string>> = {
  missing: "The file is missing",
  not_regular: "It isn't a regular file",
  extra_link: "The file has a second hard link; a plain copy has none",
  folder_moved: "The folder was moved, or is a link",
  swapped: "The file was swapped while it was opened",
  too_large: `The file is over ${MAX_SOURCE_BYTES} bytes long`,
};
