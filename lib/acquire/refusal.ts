// Every way in which an acquisition can end without eight verified files, as a
// value: what could not be done, why, and what the user can do about it.

/** What kind of end it was. */
export type RefusalCode =
  /** Checkpoint or extension manifest that can't be used. */
  | "checkpoint_invalid"
  /** Destination that can't be used. */
  | "destination_refused"
  /** Not enough free disk or memory. */
  | "resources_insufficient"
  /** The user did not say yes. */
  | "opt_in_refused"
  /** Another process works on the same folder. */
  | "folder_busy"
  /** A file where none was expected. */
  | "unexpected_file"
  /** The ledger isn't one that this program would have written. */
  | "ledger_refused"
  /** 20 minutes, or the 30 of the window, are over. */
  | "window_over"
  /** The byte ceiling leaves no room for the rest of a file. */
  | "budget_exhausted"
  /** A file's one retry is used up. */
  | "retry_used"
  /** An earlier attempt on this folder ended for good. */
  | "ended_earlier"
  /** A redirect to a host, port or scheme that isn't allowed. */
  | "redirect_refused"
  /** What the server says about a file isn't what is pinned. */
  | "metadata_mismatch"
  /** What arrived, or was found, isn't the pinned file. */
  | "content_mismatch"
  /** The server answered that it won't serve the file. */
  | "server_refused"
  /** The connection failed, broke off or stalled. */
  | "network_failed"
  /** A file to be copied is missing or unusable. */
  | "copy_refused"
  /** The disk refused an operation. */
  | "disk_failed"
  /** The user cancelled. */
  | "cancelled"
  /** A folder with model files that no acquisition made. */
  | "no_ledger"
  /** The core trial of this folder is reserved already. */
  | "core_trial_used"
  /** The folder isn't completely verified. */
  | "not_verified"
  /** The program itself failed. */
  | "internal";

/** Why something wasn't done, in three parts for a person. */
export interface Refusal {
  readonly code: RefusalCode;
  /** What could not be done; names the thing in quotes. */
  readonly what: string;
  /** Why: a clause that continues after a colon. */
  readonly why: string;
  /** What to do next: one sentence. */
  readonly next: string;
}

/** A value, or why there is none. */
export type Attempted<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly refusal: Refusal };

/** Makes the failed half of an {@link Attempted}. */
export function refuse(
  code: RefusalCode,
  what: string,
  why: string,
  next: string,
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { code, what, why, next } };
}

/** A refusal on at most three lines. */
export function refusalText(refusal: Refusal): string {
  return `${refusal.what}: ${refusal.why}.\n${refusal.next}.`;
}
