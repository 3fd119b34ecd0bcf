// The file interface with somebody looking on: told of each operation before it
// is done, and free to throw in its place or to change a file meanwhile.

import type { FileHandle, Files } from "../lib/system/files.ts";
import { unflushedFiles } from "./baseline_in_process.ts";

/** Looks on; `call` is such as `rename .toy_math.py.v1.tmp toy_math.py`. */
export type Onlooker = (call: string) => void;

/** Real files that tell an onlooker; names are given without their folders. */
export function watchedFiles(look: Onlooker): Files {
  const name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const handle = (file: FileHandle, path: string): FileHandle => ({
    facts: () => file.facts(),
    read: (maxBytes) => {
      look(`read ${name(path)}`);
      return file.read(maxBytes);
    },
    write: (bytes) => {
      look(`write ${name(path)}`);
      return file.write(bytes);
    },
    sync: () => look(`sync ${name(path)}`),
    close: () => file.close(),
  });
  const told = <T>(call: string, act: () => T): T => {
    look(call);
    return act();
  };
  return {
    ...unflushedFiles,
    open: (path) =>
      told(`open ${name(path)}`, () => handle(unflushedFiles.open(path), path)),
    create: (path) =>
      told(
        `create ${name(path)}`,
        () => handle(unflushedFiles.create(path), path),
      ),
    makeFolder: (path) =>
      told(`makeFolder ${name(path)}`, () => unflushedFiles.makeFolder(path)),
    rename: (from, to) =>
      told(
        `rename ${name(from)} ${name(to)}`,
        () => unflushedFiles.rename(from, to),
      ),
    syncFolder: (path) => look(`syncFolder ${name(path)}`),
  };
}

/** An error as the system makes them. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: /secret/path`), { code });
}
