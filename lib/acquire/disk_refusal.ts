// REPORTS 36: a disk that refuses is named, and what to do about it; the ledger
// and the partial files stay a state from which the next command goes on.

import { systemCode } from "../system/error_code.ts";
import { systemWords } from "../system/system_words.ts";
import type { Refusal } from "./refusal.ts";

/** The refusal of a disk that refused an operation. */
export function diskRefusal(error: unknown, shownAs: string): Refusal {
  const code = systemCode(error);
  const full = code === "ENOSPC" || code === "ESHORT" || code === "EDQUOT";
  return {
    code: "disk_failed",
    what: `Cannot use the model folder "${shownAs}"`,
    why: full ? "the disk is full" : code !== null
      // The system's own message would show absolute paths.
      ? systemWords(error).why
      : `the disk refused it (${
        error instanceof Error ? error.message.split("\n")[0] : "unknown"
      })`,
    next: `${
      full ? "Make room" : "Mend that"
    }, then run the same command again`,
  };
}
