// The files of a run, each with its digest: what a signature covers.

import { CONTAINMENT_WORDS, openEvidence } from "../evidence_files.ts";
import type { FileHandle, Files } from "../../system/files.ts";
import { type Sha256, Sha256Stream } from "../../system/sha256.ts";
import type { Difference } from "../verify_report.ts";
import { ATTESTATION_NAME } from "./attestation_name.ts";

/** One file of a run. */
export interface Subject {
  /** Path below the run's folder, with `/` between its parts. */
  readonly name: string;
  readonly sha256: Sha256;
}

/**
 * A run may hold and yet have an entry that no signature can cover: what was
 * found where its source had been, when it stopped for that.
 */
export class NoSubject extends Error {
  override readonly name = "NoSubject";
  readonly difference: Difference;

  constructor(difference: Difference) {
    super(`"${difference.file}": ${difference.message}`);
    this.difference = difference;
  }
}

/** Deepest folder of a run. */
const MAX_DEPTH = 4;
/** Most bytes of a file that is signed: a sparse one takes no disk. */
export const MAX_SUBJECT_BYTES = 64 * 1_024 * 1_024;
const READ_BYTES = 64 * 1_024;

/**
 * Every file below a run's folder but its attestation, sorted by name.
 *
 * @throws {NoSubject} where an entry isn't a plain file or folder.
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
    throw new NoSubject({
      file: name,
      message: CONTAINMENT_WORDS.not_regular,
    });
  });
}

function digestOf(files: Files, folder: string, name: string): Sha256 {
  const file = openEvidence(files, folder, name);
  const refuse = (message: string, more: Partial<Difference> = {}) =>
    new NoSubject({ file: name, message, ...more });
  if (file === null) {
    throw refuse(CONTAINMENT_WORDS.missing, { code: "missing_file" });
  }
  if (typeof file === "string") throw refuse(file);
  try {
    const digest = digestOfFile(file);
    if (digest === null) throw refuse(CONTAINMENT_WORDS.too_large);
    return digest;
  } finally {
    file.close();
  }
}

/** Null where the file is larger than any that is signed. */
function digestOfFile(file: FileHandle): Sha256 | null {
  const digest = new Sha256Stream();
  for (let total = 0;;) {
    const bytes = file.read(READ_BYTES);
    total += bytes.length;
    if (total > MAX_SUBJECT_BYTES) return null;
    digest.update(bytes);
    if (bytes.length < READ_BYTES) return digest.finish();
  }
}
