// The ledger survives a kill at any point. Each change is
// written to a temporary file, flushed, locked, renamed into place and the
// folder flushed, so a reader finds the old content or the new one. The lock
// passes on with the name: whoever locks a ledger that was replaced meanwhile
// finds that it isn't the ledger any more.

import { readContained } from "../system/contained_file.ts";
import { createWhole, type FileLock, type Files } from "../system/files.ts";
import {
  type CheckpointPlan,
  LEDGER_NAME,
  PART_SUFFIX,
} from "./checkpoint_plan.ts";
import { type FolderFacts, ledgerFault } from "./ledger_checks.ts";
import { withoutOpenRequests } from "./ledger_content.ts";
import {
  ledgerBytes,
  type LedgerContent,
  MAX_LEDGER_BYTES,
  parseLedger,
  withinBounds,
} from "./ledger_format.ts";
import type { AcquisitionLimits } from "./limits.ts";
import { type Attempted, refuse } from "./refusal.ts";

/** Where a ledger lives, and what it must agree with. */
export interface LedgerPlace {
  readonly files: Files;
  /** Real path of the model folder. */
  readonly folder: string;
  /** The folder as the user calls it, for messages. */
  readonly shownAs: string;
  readonly plan: CheckpointPlan;
  readonly limits: AcquisitionLimits;
}

/** A model folder's ledger, held by this process alone. */
export class Ledger {
  readonly #place: LedgerPlace;
  readonly #uptimeSeconds: () => number;
  #content: LedgerContent;
  #lock: FileLock | null;

  private constructor(
    place: LedgerPlace,
    uptimeSeconds: () => number,
    content: LedgerContent,
    lock: FileLock | null,
  ) {
    this.#place = place;
    this.#uptimeSeconds = uptimeSeconds;
    this.#content = content;
    this.#lock = lock;
  }

  /**
   * Writes a new folder's first ledger.
   *
   * @throws The disk's error.
   */
  static create(
    place: LedgerPlace,
    uptimeSeconds: () => number,
    content: LedgerContent,
  ): Ledger {
    const ledger = new Ledger(place, uptimeSeconds, content, null);
    try {
      ledger.#write(content);
      return ledger;
    } catch (error) {
      ledger.close();
      throw error;
    }
  }

  /**
   * Takes an existing ledger over: locks it, reads it strictly, compares it, and
   * closes what a killed process left open.
   *
   * @throws The disk's error.
   */
  static open(
    place: LedgerPlace,
    uptimeSeconds: () => number,
  ): Attempted<{ readonly ledger: Ledger }> {
    const { files, folder, shownAs } = place;
    const what = `Cannot use the model folder "${shownAs}"`;
    const lock = lockNamed(files, `${folder}/${LEDGER_NAME}`);
    if (lock === null) {
      return refuse(
        "folder_busy",
        what,
        "another process is working on it",
        "Wait until that one has ended",
      );
    }
    let read: ReturnType<typeof readLedger>;
    try {
      read = readLedger(place);
    } catch (error) {
      lock.release();
      throw error;
    }
    if (!read.ok) {
      lock.release();
      return refuse(
        "ledger_refused",
        what,
        `its ${LEDGER_NAME} is not one that this program wrote: ${read.why}`,
        'Begin in a new folder; files you have: "tinycoder acquire --directory ' +
          'NEW --from DIR"',
      );
    }
    const ledger = new Ledger(place, uptimeSeconds, read.content, lock);
    try {
      if (isLeftOpen(read.content)) {
        ledger.#write(withoutOpenRequests(read.content));
      }
    } catch (error) {
      ledger.close();
      throw error;
    }
    return { ok: true, ledger };
  }

  /** What the ledger says. */
  get content(): LedgerContent {
    return this.#content;
  }

  /**
   * Changes the ledger, durably.
   *
   * @throws The disk's error; the old content is then still the ledger.
   */
  update(change: (content: LedgerContent) => LedgerContent): void {
    this.#write(change(this.#content));
  }

  /** Gives the folder back. */
  close(): void {
    this.#lock?.release();
    this.#lock = null;
  }

  #write(content: LedgerContent): void {
    const { files, folder } = this.#place;
    const now = this.#uptimeSeconds();
    const seen = Math.max(content.window.seen_uptime_s, now);
    const next = withinBounds({
      ...content,
      verified_uptime_s: content.status === "verified"
        ? content.verified_uptime_s ?? now
        : null,
      window: { ...content.window, seen_uptime_s: seen },
    });
    const part = `${folder}/${LEDGER_NAME}${PART_SUFFIX}`;
    if (files.facts(part) !== null) files.remove(part);
    createWhole(files, part, ledgerBytes(next));
    const lock = files.lock(part);
    if (lock === null) throw new Error("The new ledger was taken away");
    try {
      files.rename(part, `${folder}/${LEDGER_NAME}`);
    } catch (error) {
      lock.release();
      throw error;
    }
    const previous = this.#lock;
    this.#lock = lock;
    this.#content = next;
    previous?.release();
    files.syncFolder(folder);
  }
}

/**
 * Reads a ledger without taking it over, for showing.
 *
 * @returns The content, or why it can't be trusted, as a clause.
 */
export function readLedger(
  place: LedgerPlace,
):
  | { readonly ok: true; readonly content: LedgerContent }
  | { readonly ok: false; readonly why: string } {
  const read = readContained(
    place.files,
    place.folder,
    LEDGER_NAME,
    MAX_LEDGER_BYTES,
  );
  if (!read.ok) {
    return { ok: false, why: `the file is ${read.finding.replace("_", " ")}` };
  }
  const parsed = parseLedger(read.bytes);
  if (!parsed.ok) return parsed;
  const why = ledgerFault(
    parsed.content,
    place.plan,
    place.limits,
    folderFacts(place),
  );
  return why === null ? parsed : { ok: false, why };
}

/** Locks the file that has this name now; null where somebody else works. */
function lockNamed(files: Files, path: string): FileLock | null {
  const before = files.facts(path);
  const lock = files.lock(path);
  if (lock === null) return null;
  try {
    const after = files.facts(path);
    if (
      before !== null && before.ino === after?.ino && before.dev === after.dev
    ) return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
  lock.release();
  return null;
}

function folderFacts({ files, folder }: LedgerPlace): FolderFacts {
  return {
    birthMs: Deno.statSync(folder).birthtime?.getTime() ?? null,
    partBytes: (name) =>
      files.facts(`${folder}/${name}${PART_SUFFIX}`)?.size ?? null,
    isPublished: (name) => files.facts(`${folder}/${name}`) !== null,
  };
}

function isLeftOpen({ bytes, files }: LedgerContent): boolean {
  return bytes.reserved > 0 ||
    files.some((file) =>
      file.requests.some((request) => request.outcome === "open")
    );
}
