// A run's folder in memory, to be read only: thousands of altered copies of a
// run cost no disk.

import type { FileFacts, FileHandle, Files } from "../lib/system/files.ts";

/** Files by their path below the run's folder, with `/` between the parts. */
export type RunFiles = ReadonlyMap<string, Uint8Array>;

/** Name that the run's folder has in memory. */
export const MEMORY_FOLDER = "/run";

/** Reads a run's folder into memory. */
export function readRunFiles(folder: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const visit = (below: string) => {
    for (const entry of Deno.readDirSync(`${folder}/${below}`)) {
      const name = below + entry.name;
      if (entry.isDirectory) visit(`${name}/`);
      else files.set(name, Deno.readFileSync(`${folder}/${name}`));
    }
  };
  visit("");
  return files;
}

/**
 * A file system that holds one run; nothing in it can be changed.
 *
 * @param odd Paths that aren't plain files, and what they are instead.
 */
export function memoryFiles(
  run: RunFiles,
  odd: ReadonlyMap<string, Partial<FileFacts>> = new Map(),
): Files {
  const below = (path: string) =>
    path === MEMORY_FOLDER ? "" : path.slice(MEMORY_FOLDER.length + 1)
      .replace(/\/$/, "");
  const folders = new Set(["", "workspace", "backups"]);
  const names = [...run.keys()];
  const factsOf = (name: string): FileFacts | null => {
    const bytes = run.get(name);
    if (bytes === undefined && !folders.has(name)) return null;
    return {
      kind: bytes === undefined ? "directory" : "file",
      dev: 1n,
      ino: BigInt(names.indexOf(name) + 2),
      links: 1,
      size: bytes?.length ?? 0,
      ...odd.get(name),
    };
  };
  const absent = (path: string) =>
    Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
  const readOnly = () => {
    throw Object.assign(new Error("EROFS"), { code: "EROFS" });
  };
  return {
    realPath: (path) => {
      if (factsOf(below(path)) === null) throw absent(path);
      return path;
    },
    facts: (path) => factsOf(below(path)),
    list: (path) => {
      const prefix = below(path) === "" ? "" : `${below(path)}/`;
      const entries = [...names, ...folders]
        .filter((name) => name !== "" && name.startsWith(prefix))
        .map((name) => name.slice(prefix.length).split("/")[0]!);
      return [...new Set(entries)].filter((name) => name !== "").sort();
    },
    open: (path): FileHandle => {
      const name = below(path);
      const bytes = run.get(name);
      if (bytes === undefined) throw absent(path);
      let at = 0;
      return {
        facts: () => factsOf(name)!,
        read: (maxBytes) => {
          const read = bytes.subarray(at, at + maxBytes);
          at += read.length;
          return read;
        },
        write: readOnly,
        sync: readOnly,
        close: () => {},
      };
    },
    create: readOnly,
    makeFolder: readOnly,
    rename: readOnly,
    remove: readOnly,
    syncFolder: readOnly,
    lock: readOnly,
  };
}
