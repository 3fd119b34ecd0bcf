// How the transfer of one file can fail, and what follows from it (lab Part 2:
// one retry; none after a mismatch).

import { shellWord } from "../system/shell_word.ts";
import { grouped } from "./wrong_content.ts";
import { LEDGER_NAME, type PlannedFile } from "./checkpoint_plan.ts";
import type { Refusal, RefusalCode } from "./refusal.ts";
import { TransportFault } from "./transport_fault.ts";

/** Why a file didn't arrive. */
export interface FileFault {
  readonly code: RefusalCode;
  /**
   * `retry`: the one retry may bring it. `stop`: not now, but a later command
   * may use the retry. `end`: this acquisition is over for good.
   */
  readonly then: "retry" | "stop" | "end";
  /** A clause. */
  readonly why: string;
  /** A sentence without its full stop; null for what {@link faultRefusal} says. */
  readonly next: string | null;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** A fault after which nothing may be asked again. */
export function endFault(
  code: RefusalCode,
  why: string,
  next: string | null = null,
): FileFault {
  return { code, then: "end", why, next };
}

/** What a fault of the connection means for the file. */
export function transportFileFault(fault: TransportFault): FileFault {
  const { message: why } = fault;
  switch (fault.kind) {
    case "unreachable":
    case "ended":
    case "reset":
    case "idle":
      return { code: "network_failed", then: "retry", why, next: null };
    case "certificate":
      return {
        code: "network_failed",
        then: "stop",
        why,
        next:
          "Something between here and the hub answers in its place, or this " +
          "machine's clock is wrong; try from another network",
      };
    case "protocol":
      return { code: "network_failed", then: "stop", why, next: null };
    case "deadline":
      return { code: "window_over", then: "stop", why, next: null };
    case "cancelled":
      return {
        code: "cancelled",
        then: "stop",
        why,
        next: "The same command goes on from here while its window is open",
      };
  }
}

/** The refusal of a budget that can't hold the rest of a file. */
export function budgetFault(needed: number, left: number): FileFault {
  return {
    code: "budget_exhausted",
    then: "stop",
    why:
      `${grouped(needed)} bytes are still needed, and the byte ceiling over ` +
      `all attempts leaves ${grouped(left)}`,
    next: null,
  };
}

/** Where in its acquisition a file's fault stands. */
export interface FaultPlace {
  /** Requests that were made for the file, over all commands. */
  readonly requests: number;
  readonly retryLeft: boolean;
  readonly shownAs: string;
}

/** What the user is told of a file's fault. */
export function faultRefusal(
  fault: FileFault,
  file: PlannedFile,
  options: FaultPlace,
): Refusal {
  return {
    code: fault.code,
    what: `Cannot download "${file.name}"`,
    why: fault.why,
    next: fault.next ?? goOn(fault, options),
  };
}

/** How to bring in a file that was got by other means. */
export function copyInstead(shownAs: string): string {
  return "Get the missing files by other means into a folder DIR, then run " +
    `"tinycoder acquire --directory ${shellWord(shownAs)} --from DIR"`;
}

/** How to bring in a verified file that isn't there any more as it was. */
export function bringBack(shownAs: string): string {
  return "Take away what has its name, and bring the file back: tinycoder " +
    `acquire --directory ${shellWord(shownAs)} --from DIR`;
}

/** How to begin again after an end for good. */
export function beginAgain(): string {
  return `What happened is in ${LEDGER_NAME}; begin again in a new folder, or ` +
    'bring files you have: "tinycoder acquire --directory NEW --from DIR"';
}

function goOn(
  fault: FileFault,
  options: FaultPlace,
): string {
  if (fault.then === "end") return beginAgain();
  if (fault.code === "network_failed" || fault.code === "server_refused") {
    return options.requests === 0
      ? "Check the connection, then run the same command again. No request " +
        "was made for this file, so its retry is not used"
      : options.retryLeft
      ? "Check the connection, then run the same command again: each file has " +
        "one retry"
      : `Its one retry is used up. ${copyInstead(options.shownAs)}`;
  }
  return copyInstead(options.shownAs);
}
