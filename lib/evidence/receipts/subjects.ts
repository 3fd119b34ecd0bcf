// The files of a run, each with its digest: what a signature covers.

import { openEvidence } from "../evidence_files.ts";
import type { FileHandle, Files } from "../../system/files.ts";
import { type Sha256, Sha256Stream } from "../../system/sha256.ts";
import { ATTESTATION_NAME } from "./attestation_name.ts";

/** One file of a run. */
export interface Subject {
  /** Path below the run's folder, with `/` between its parts. */
  readonly name: string;
  readonly sha256: Sha256;
}

/** Deepest folder of a run. */
const MAX_DEPTH = 4;
const READ_BYTES = 64 * 1_024;

/**
 * Every file below a run's folder but its attestation, sorted by name.
 *
 * @throws {TypeError} where an entry isn't a plain file or folder.
 */
export function runSubjects(files: Files, folder: string): readonly Subject[] {
  const names = filesBelow(files, folder, "", MAX_DEPTH)
    .filter((name) => name !== ATTESTATION_NAME)
    .sort();
  return names.map((name) => ({ name, sha256: digestOf(files, folder, name) }));
}

function filesBelow(
  files: Files,
  folder: string,
  below: string,
  depth: number,
): string[] {
  return files.list(`${folder}/${below}`).flatMap((entry) => {
    const name = below + entry;
    const kind = files.facts(`${folder}/${name}`)?.kind;
    if (kind === "file") return [name];
    if (kind === "directory" && depth > 1) {
      return filesBelow(files, folder, `${name}/`, depth - 1);
    }
    throw new TypeError(`"${name}" isn't a file that a run makes`);
  });
}

function digestOf(files: Files, folder: string, name: string): Sha256 {
  const file = openEvidence(files, folder, name);
  if (file === null || typeof file === "string") {
    throw new TypeError(`"${name}": ${file ?? "The file is missing"}`);
  }
  try {
    return digestOfFile(file);
  } finally {
    file.close();
  }
}

function digestOfFile(file: FileHandle): Sha256 {
  const digest = new Sha256Stream();
  for (;;) {
    const bytes = file.read(READ_BYTES);
    digest.update(bytes);
    if (bytes.length < READ_BYTES) return digest.finish();
  }
}
