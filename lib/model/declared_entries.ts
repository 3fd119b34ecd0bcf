// Lab Part 2: what a model folder's entries show without reading a file. A link, a
// second name, another size or a file that nobody declared is refused.

import * as fs from "node:fs";
import type {
  CheckpointManifest,
  DeclaredFile,
} from "./checkpoint_manifest.ts";
import { refuse, shown } from "./model_refusal.ts";
import { reading } from "./readable_file.ts";

/** What tells one state of a file from another, without reading it. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly links: bigint;
  /** In bytes. */
  readonly size: bigint;
  /**
   * Last change of content, and of anything, in milliseconds since 1970; the
   * runtime rounds the latter down to whole seconds.
   */
  readonly mtimeMs: bigint;
  readonly ctimeMs: bigint;
}

/** Files that an acquisition leaves in a model folder beside the checkpoint. */
const LEDGER = /^acquisition\.json/;

/**
 * Checks what a model folder's entries alone show: every declared file is there
 * with its size, under one name, and nothing else is. Contents aren't read.
 *
 * @param folder Real path of the model folder.
 * @throws {ModelRefusal} At the first entry that isn't as declared.
 */
export function requireDeclaredEntries(
  folder: string,
  manifest: CheckpointManifest,
): void {
  refuseUnexpectedFiles(folder, manifest);
  for (const file of manifest.files) {
    reading(`"${file.name}"`, () => declaredEntry(folder, file));
  }
}

/**
 * Checks that a model folder holds nothing but what is declared.
 *
 * @throws {ModelRefusal} At the first other entry.
 */
export function refuseUnexpectedFiles(
  folder: string,
  manifest: CheckpointManifest,
): void {
  const declared = new Set(manifest.files.map(({ name }) => name));
  const names = reading("The model folder", () => fs.readdirSync(folder));
  for (const name of names.sort()) {
    if (declared.has(name) || LEDGER.test(name)) continue;
    refuse(
      `The model folder holds ${
        shown(name)
      }, which is not a file of the checkpoint "${manifest.label}"`,
    );
  }
}

/**
 * Opens a declared file without following a link.
 *
 * @throws {ModelRefusal} If its entry isn't as declared, or another file was opened.
 */
export function openDeclared(
  folder: string,
  file: DeclaredFile,
): { fd: number; identity: FileIdentity } {
  const { name } = file;
  const path = `${folder}/${name}`;
  const entry = declaredEntry(folder, file);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const identity = identityOf(fs.fstatSync(fd, { bigint: true }));
    requireSame(name, identityOf(entry), identity);
    return { fd, identity };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

function declaredEntry(
  folder: string,
  { name, bytes }: DeclaredFile,
): fs.BigIntStats {
  const path = `${folder}/${name}`;
  const entry = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (entry === undefined) refuse(`The model folder lacks "${name}"`);
  if (entry.isSymbolicLink()) {
    refuse(
      `"${name}" is a symbolic link: a checkpoint's files must be files themselves`,
    );
  }
  if (!entry.isFile()) refuse(`"${name}" is not a regular file`);
  if (entry.nlink !== 1n) {
    refuse(`"${name}" has a second hard link, through which it could change`);
  }
  if (entry.size !== BigInt(bytes)) {
    refuse(`"${name}" has ${entry.size} bytes instead of ${bytes}`);
  }
  return entry;
}

/** The identity that a file has in these facts. */
export function identityOf(stat: fs.BigIntStats): FileIdentity {
  const { dev, ino, nlink, size, mtimeMs, ctimeMs } = stat;
  return { dev, ino, links: nlink, size, mtimeMs, ctimeMs };
}

/**
 * Compares two looks at one file.
 *
 * @throws {ModelRefusal} If it changed between them.
 */
export function requireSame(
  name: string,
  before: FileIdentity,
  after: FileIdentity,
): void {
  for (
    const key of ["dev", "ino", "links", "size", "mtimeMs", "ctimeMs"] as const
  ) {
    if (before[key] !== after[key]) {
      refuse(`"${name}" changed while it was verified or loaded`);
    }
  }
}
