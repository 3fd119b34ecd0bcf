// The engine is native code, and a native file has to lie on a disk to be
// loaded. Its two files are part of the program; they are written once, below
// the folder the program is started in, and compared with the digests here
// before every load. Nothing else is ever loaded as native code.

import { errorCode, systemCode } from "../system/error_code.ts";
import { systemWords } from "../system/system_words.ts";
import { ModelRefusal, refuse, sentenceOf } from "./model_refusal.ts";

/** Where the engine's files are kept, below the current folder. */
export const ENGINE_ROOT = ".tinycoder-engine";

/** Name of the file that is loaded; it loads the other one. */
export const BINDING_FILE = "onnxruntime_binding.node";

const LIBRARY_FILE = "libonnxruntime.so.1";

/** SHA-256 of the files of onnxruntime-node 1.30.0, by system and processor. */
export const ENGINE_FILES: Readonly<
  Record<string, Readonly<Record<string, string>>>
> = {
  "linux/x64": {
    [LIBRARY_FILE]:
      "ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23",
    [BINDING_FILE]:
      "ccdc60b981d93a490cf9513d3f583547252b6e285b72988a96a494f2f006c7b8",
  },
  "linux/arm64": {
    [LIBRARY_FILE]:
      "1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76",
    [BINDING_FILE]:
      "afec78dc11d38dc81605b068cefe1fc73ffe77ca240c15468aa40786150beac8",
  },
};

/** The engine on disk, verified. */
export interface InstalledEngine {
  /** Real path of the file to load. */
  readonly binding: string;
  /** Real path of the library that it loads. */
  readonly library: string;
  /** SHA-256 of each file, by name. */
  readonly digests: Readonly<Record<string, string>>;
}

/** Where {@link installEngine} reads and writes; tests choose their own. */
export interface EnginePlaces {
  /** Folder to keep the engine in. */
  readonly root?: string;
  /** Bytes of one of the engine's files, as the program carries them. */
  readonly packed?: (name: string) => Uint8Array;
}

/**
 * Makes sure that the engine lies on the disk, and verifies it.
 *
 * Concurrent first starts and a kill at any point are harmless: a file gets its
 * name by a rename of complete bytes.
 *
 * @throws {ModelRefusal} If a file or folder isn't the program's own.
 */
export async function installEngine(
  places: EnginePlaces = {},
): Promise<InstalledEngine> {
  const { root = ENGINE_ROOT, packed = packedFile } = places;
  const digests = ENGINE_FILES[PLATFORM] ??
    refuse(
      `There is no engine for "${PLATFORM}" in this program: it runs models on Linux`,
    );
  const folder = `${root}/${await folderName(digests)}`;
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const path of [root, folder]) requirePrivate(path, root);
    const owner = ownUserId(root);
    for (const path of [root, folder]) requireOwner(path, root, owner);
    for (const [name, digest] of Object.entries(digests)) {
      await installFile(folder, name, digest, owner, packed);
    }
    removeLeftovers(root, folder, Object.keys(digests));
    refuseStrangers(folder, Object.keys(digests));
    const place = Deno.realPathSync(folder);
    return {
      binding: `${place}/${BINDING_FILE}`,
      library: `${place}/${LIBRARY_FILE}`,
      digests,
    };
  } catch (error) {
    if (error instanceof ModelRefusal) throw error;
    const cannot = `The engine can't be kept in "${root}"`;
    if (FULL.includes(errorCode(error))) {
      refuse(`${cannot}: the disk is full. Free some space first`);
    }
    const why = systemCode(error) === null
      ? sentenceOf(error)
      : systemWords(error).why;
    refuse(
      `${cannot}: ${why}. ` +
        "Remove what is there, or start in another folder",
    );
  }
}

const PLATFORM = `${Deno.build.os}/${
  Deno.build.arch === "aarch64" ? "arm64" : "x64"
}`;

/** What the system answers where there is no room, or none for this user. */
const FULL = ["ENOSPC", "EDQUOT"];

/** What a killed start can leave behind. */
const LEFTOVER = /\.[0-9a-f-]{36}\.part$/;

function packedFile(name: string): Uint8Array {
  const [os, arch] = PLATFORM.split("/");
  return Deno.readFileSync(
    new URL(
      `../bin/napi-v6/${os}/${arch}/${name}`,
      import.meta.resolve("onnxruntime-node"),
    ),
  );
}

async function folderName(
  digests: Readonly<Record<string, string>>,
): Promise<string> {
  const listing = Object.entries(digests).map(([name, digest]) =>
    `${digest}  ${name}\n`
  );
  return await sha256(new TextEncoder().encode(listing.join("")));
}

// The user id isn't among the program's permissions; a file of our own shows it.
function ownUserId(root: string): number | null {
  const probe = `${root}/owner.${crypto.randomUUID()}.part`;
  Deno.writeFileSync(probe, new Uint8Array(), { createNew: true, mode: 0o600 });
  try {
    return Deno.lstatSync(probe).uid;
  } finally {
    Deno.removeSync(probe);
  }
}

function requirePrivate(path: string, root: string): void {
  const { isDirectory, mode } = Deno.lstatSync(path);
  const why = !isDirectory
    ? "isn't a folder"
    : (mode! & 0o077) !== 0
    ? "is open to other users"
    : null;
  if (why !== null) refuseFolder(path, root, why);
}

function requireOwner(path: string, root: string, owner: number | null): void {
  if (Deno.lstatSync(path).uid !== owner) {
    refuseFolder(path, root, "belongs to another user");
  }
}

function refuseFolder(path: string, root: string, why: string): never {
  refuse(
    `The engine's folder "${path}" ${why}: remove "${root}", it is made anew`,
  );
}

async function installFile(
  folder: string,
  name: string,
  digest: string,
  owner: number | null,
  packed: (name: string) => Uint8Array,
): Promise<void> {
  const path = `${folder}/${name}`;
  if (!exists(path)) writeOnce(path, packed(name));
  const entry = Deno.lstatSync(path);
  const why = !entry.isFile
    ? "isn't a regular file"
    : entry.nlink !== 1
    ? "has a second hard link"
    : entry.uid !== owner
    ? "belongs to another user"
    : (entry.mode! & 0o077) !== 0
    ? "is open to other users"
    : await sha256(Deno.readFileSync(path)) !== digest
    ? "isn't the file that this program was built with"
    : null;
  if (why !== null) {
    refuse(`The engine's file "${path}" ${why}: remove it, it is written anew`);
  }
}

function writeOnce(path: string, bytes: Uint8Array): void {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    Deno.writeFileSync(part, bytes, { createNew: true, mode: 0o600 });
    Deno.renameSync(part, path);
  } catch (error) {
    // Another start was faster and has cleaned up already.
    if (error instanceof Deno.errors.NotFound && exists(path)) return;
    // On a full disk half a file is what others lack.
    if (exists(part)) Deno.removeSync(part);
    throw error;
  }
}

// Only once all files are in place: no other start needs its temporary then.
function removeLeftovers(
  root: string,
  folder: string,
  names: readonly string[],
): void {
  for (const place of [root, folder]) {
    for (const { name, isFile } of Deno.readDirSync(place)) {
      if (!isFile || names.includes(name) || !LEFTOVER.test(name)) continue;
      try {
        Deno.removeSync(`${place}/${name}`);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
  }
}

/**
 * Refuses whatever else lies beside the engine: the system's loader looks for
 * libraries in the engine's folder, and in folders below it by processor, before
 * it takes the verified file.
 */
function refuseStrangers(folder: string, names: readonly string[]): void {
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (names.includes(name) || (isFile && LEFTOVER.test(name))) continue;
    refuse(
      `The engine's folder "${folder}" holds ${
        JSON.stringify(name)
      }, which the system may load in the engine's place: remove it`,
    );
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as BufferSource);
  return new Uint8Array(digest).toHex();
}
