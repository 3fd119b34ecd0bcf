// What to say when a controller could not bring its run to an end.

import type { ControllerFailure } from "../supervisor/messages.ts";
import { CommandError, EXIT } from "../system/command_error.ts";

/** The error for a controller's failure. */
export function controllerError(
  { reason, message, code }: ControllerFailure,
  runFolder: string,
): CommandError {
  const run = JSON.stringify(runFolder);
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
        next:
          `What was recorded is kept; close it with: tinycoder recover ${run}`,
      });
  }
}

const SYSTEM_CODES: Record<string, string> = {
  ENOSPC: "the disk is full",
  ESHORT: "only a part of it was written; the disk may be full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EIO: "the disk reported a fault",
  ENOENT: "a file or folder of the run is gone",
  EACCES: "writing is not permitted",
};
