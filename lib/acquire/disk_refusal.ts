// REPORTS 36: a disk that refuses is named, and what to do about it; the ledger
// and the partial files stay a state from which the next command goes on.

import { errorCode } from "../system/files.ts";
import type { Refusal } from "./refusal.ts";

/** The refusal of a disk that refused an operation. */
export function diskRefusal(error: unknown, shownAs: string): Refusal {
  const code = errorCode(error);
  const full = code === "ENOSPC" || code === "ESHORT" || code === "EDQUOT";
  const text = error instanceof Error ? error.message.split("\n")[0]! : code;
  return {
    code: "disk_failed",
    what: `Cannot write to the model folder "${shownAs}"`,
    why: full ? "the disk is full" : `the disk refused it (${text})`,
    next: `${
      full ? "Make room" : "Mend that"
    }, then run the same command again`,
  };
}
