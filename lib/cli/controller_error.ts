// What to say when a controller could not bring its run to an end.

import { MANIFEST_NAME } from "../evidence/manifest.ts";
import type { ControllerFailure } from "../supervisor/messages.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import type { Files } from "../system/files.ts";
import { shellWord } from "../system/shell_word.ts";
import { quoteTyped } from "./quote_typed.ts";

/** What of a run can be closed. */
export type RunRemains = "evidence" | "nothing" | "no folder";

/**
 * What a run left that can be closed.
 *
 * @param folder Its real path.
 */
export function runRemains(files: Files, folder: string): RunRemains {
  try {
    if (files.facts(folder) === null) return "no folder";
    return files.facts(`${folder}/${MANIFEST_NAME}`) === null
      ? "nothing"
      : "evidence";
  } catch {
    // What can't be looked at can't be closed.
    return "nothing";
  }
}

/**
 * The error for a controller's failure.
 *
 * @param runFolder As the user typed it.
 */
export function controllerError(
  { reason, message, code }: ControllerFailure,
  runFolder: string,
  remains: RunRemains,
): CommandError {
  const run = quoteTyped(runFolder);
  const because = code === undefined
    ? message
    : `${message} (${SYSTEM_CODES[code] ?? code})`;
  switch (reason) {
    case "not_enforced":
      return new CommandError(EXIT.refused, {
        what: `Cannot start the run in ${run}`,
        why: because,
        next: "Run tinycoder with the Deno version it was made for.",
      });
    case "folder":
    case "audit":
    case "crashed":
    case "silent":
      return new CommandError(EXIT.harness, {
        what: `Cannot complete the run in ${run}`,
        why: because,
        next: NEXT[remains](shellWord(runFolder)),
      });
  }
}

const NEXT: Readonly<Record<RunRemains, (run: string) => string>> = {
  evidence: (run) =>
    `What was recorded is kept; close it with: tinycoder recover ${run}`,
  nothing: () => "Nothing was recorded, and nothing edited. Start a fresh run.",
  "no folder": () =>
    "Look where its folder went: what was recorded is in it. Where it is gone, " +
    "start a fresh run.",
};

const SYSTEM_CODES: Record<string, string> = {
  ENOSPC: "the disk is full",
  ESHORT: "only a part of it was written; the disk may be full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EIO: "the disk reported a fault",
  ENOENT: "a file or folder of the run is gone",
  EACCES: "writing is not permitted",
  EPERM: "writing is not permitted",
  EEXIST: "something else was put under a name that the run writes",
  ENOTDIR: "a folder of the run was replaced",
  EISDIR: "a file of the run was replaced by a folder",
  ELOOP: "a file or folder of the run was replaced by a link",
  EFBIG: "the file would be larger than is allowed",
  EMFILE: "too many files are open",
  ESTALE: "its network disk no longer has it",
};
