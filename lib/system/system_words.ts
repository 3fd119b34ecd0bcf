// What the system's errors mean to whoever wanted to write something.

import { errorCode } from "./error_code.ts";

/** Why something failed, as a clause, and what to do, as a sentence. */
export interface SystemWords {
  readonly why: string;
  readonly next: string;
}

/** Words for an error that came while something new was written. */
export function systemWords(error: unknown): SystemWords {
  const code = errorCode(error);
  const [why, next] = WORDS[code] ??
    [`the system answered ${code}`, "Choose another place."];
  return { why, next };
}

const REAL_FOLDERS = "Choose a path of real folders.";
const OWN_FOLDER = "Choose a folder that you may write.";

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  NotCapable: [
    "Deno lets no program use the special folder that it lies in",
    "Start tinycoder in an ordinary folder.",
  ],
  EEXIST: [
    "it exists already",
    "Choose a name that is not taken; nothing is ever overwritten.",
  ],
  ENOENT: [
    "the folder around it does not exist",
    "Choose a folder that exists.",
  ],
  EACCES: ["the folder around it may not be written", OWN_FOLDER],
  EPERM: ["the folder around it may not be written", OWN_FOLDER],
  EROFS: ["the disk is read-only", "Choose a folder on a writable disk."],
  ENOSPC: ["the disk is full", "Free some space, or choose another disk."],
  ESHORT: ["the disk is full", "Free some space, or choose another disk."],
  EDQUOT: ["the disk quota is used up", "Free some space."],
  EFBIG: ["the file would be larger than is allowed", "Raise that limit."],
  EIO: ["the disk failed", "Choose another disk."],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter name."],
  ENOTDIR: ["a part of it is not a folder", REAL_FOLDERS],
  EISDIR: ["it is a folder", "Choose the name of a file."],
  ELOOP: ["a part of it is a link", REAL_FOLDERS],
  EILSEQ: ["the name has characters the disk refuses", "Choose another name."],
};
