// The supervisor's side of an acquisition: from the user's yes to verified files,
// or to why not. One function over one specification; nothing outlives it.

import { CommandError } from "../system/command_error.ts";
import { createFreshFolder } from "../system/fresh_folder.ts";
import { diskRefusal } from "./disk_refusal.ts";
import { newLedgerContent } from "./ledger_content.ts";
import type { LedgerContent, OptIn } from "./ledger_format.ts";
import { Ledger, type LedgerPlace } from "./ledger.ts";
import type { TransferProgress } from "./messages.ts";
import type { PreparedAcquisition } from "./prepare.ts";
import type { Attempted, Refusal } from "./refusal.ts";
import { superviseTransfer } from "./supervise_transfer.ts";
import { observeWindow } from "./window.ts";

/** An acquisition that the user said yes to. */
export interface Acquisition {
  readonly prepared: PreparedAcquisition;
  /** What was shown and answered; null only where all is verified already. */
  readonly optIn: OptIn | null;
  /** Aborting it cancels the transfer; what arrived stays. */
  readonly cancel: AbortSignal;
  readonly onProgress?: (progress: TransferProgress) => void;
}

/** What became of an acquisition. */
export interface AcquisitionEnd {
  /** Null when every file is verified. */
  readonly refusal: Refusal | null;
  /** The ledger as it was left; null where there is none to be trusted. */
  readonly ledger: LedgerContent | null;
}

/**
 * Acquires a checkpoint's files, or says why not.
 *
 * @throws {CommandError} where the fresh folder can't be created.
 */
export async function acquire(
  acquisition: Acquisition,
): Promise<AcquisitionEnd> {
  const { prepared, cancel, onProgress } = acquisition;
  try {
    const begun = beginLedger(acquisition);
    if (!begun.ok) return { refusal: begun.refusal, ledger: null };
    return await superviseTransfer({
      place: begun.place,
      window: begun.content.window,
      resources: prepared.request.resources,
      source: prepared.source,
      downloads: prepared.source === null && !prepared.verified,
      cancel,
      onProgress: onProgress ?? (() => {}),
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return {
      refusal: diskRefusal(error, prepared.request.directory),
      ledger: null,
    };
  }
}

/** Writes the first ledger, or takes note of the opt-in in an earlier one. */
function beginLedger(
  { prepared, optIn }: Acquisition,
): Attempted<{ readonly place: LedgerPlace; readonly content: LedgerContent }> {
  const { destination, request } = prepared;
  const { files, plan, limits, resources, directory: shownAs } = request;
  const now = resources.bootFacts();
  const uptime = (): number => now.uptimeSeconds;
  if (destination.kind === "existing") {
    const folder = destination.path;
    const place = { files, folder, shownAs, plan, limits };
    const opened = Ledger.open(place, uptime);
    if (!opened.ok) return opened;
    const { ledger } = opened;
    try {
      ledger.update((content) => ({
        ...content,
        opt_ins: optIn === null ? content.opt_ins : [...content.opt_ins, optIn],
        window: {
          ...content.window,
          ...observeWindow(content.window, now, limits),
        },
      }));
      return { ok: true, place, content: ledger.content };
    } finally {
      ledger.close();
    }
  }
  if (optIn === null) throw new TypeError("A new folder needs an opt-in");
  const { planned } = destination;
  if (destination.kind === "unfinished") {
    for (const name of destination.leftover) {
      files.remove(`${planned.path}/${name}`);
    }
    Deno.removeSync(planned.path);
  }
  // `now` was taken before: a folder is never older than its window.
  createFreshFolder(files, planned, "model folder");
  const place = { files, folder: planned.path, shownAs, plan, limits };
  const content = newLedgerContent(plan, limits, now, optIn);
  Ledger.create(place, uptime, content).close();
  return { ok: true, place, content };
}
