// What the system's errors mean to whoever wanted to read something that should
// be there already.

import { errorCode } from "./error_code.ts";

/** Why something can't be read, as a clause about "it". */
export function readWords(error: unknown): string {
  const code = errorCode(error);
  return WORDS[code] ?? `the system answered ${code}`;
}

const WORDS: Readonly<Record<string, string>> = {
  NotCapable: "it does not lie below the current folder",
  ENOENT: "it is not there",
  NotFound: "it is not there",
  ENOTDIR: "a part of its path is not a folder",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
  PermissionDenied: "you may not read it",
  EISDIR: "it is a folder",
  ELOOP: "it is a link, or leads through links in a circle",
  ENAMETOOLONG: "its name is too long",
  ENXIO: "it is a special file",
  ENODEV: "it is a special file",
  EIO: "the disk failed",
  ESTALE: "its network disk no longer has it",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};
