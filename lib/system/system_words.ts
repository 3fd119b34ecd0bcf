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
  const denied = deniedWords(error);
  if (denied !== null) return denied;
  const [why, next] = WORDS[code] ??
    [`the system answered ${code}`, "Choose another place."];
  return { why, next };
}

/** Words for what Deno denied; null for anything else. */
function deniedWords(error: unknown): SystemWords | null {
  if (!(error instanceof Deno.errors.NotCapable)) return null;
  const right = /^Requires (\w+) access/.exec(error.message)?.[1];
  // Deno asks for every right at once where a path is the system's own.
  return right === "all"
    ? {
      why: "Deno lets no program use the special folder that it lies in",
      next: "Start tinycoder in an ordinary folder.",
    }
    : {
      why: `this program has no right to ${VERBS[right ?? ""] ?? "use"} it`,
      next: "Choose a place below the folder that you start tinycoder in.",
    };
}

const VERBS: Readonly<Record<string, string>> = {
  read: "read",
  write: "write",
};

const REAL_FOLDERS = "Choose a path of real folders.";
const OWN_FOLDER = "Choose a folder that you may write.";

const WORDS: Readonly<Record<string, readonly [string, string]>> = {
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
  EMFILE: [
    "too many files are open",
    "Raise the limit of open files (ulimit -n).",
  ],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter name."],
  ENOTDIR: ["a part of it is not a folder", REAL_FOLDERS],
  EISDIR: ["it is a folder", "Choose the name of a file."],
  ELOOP: ["a part of it is a link", REAL_FOLDERS],
  EILSEQ: ["the name has characters the disk refuses", "Choose another name."],
};
