// DESIGN section 9: one process at a time works on a model folder. The ledger is
// replaced at every change, so the lock is taken on each new ledger before it
// gets its name; whoever opens an older one finds that it isn't the ledger any
// more.

import type { Files } from "../system/files.ts";

/** An exclusive, advisory lock on one file, held until it is released. */
export class LedgerLock {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /**
   * Locks the file at `path`.
   *
   * @returns Null if another process holds it, or replaced it just now.
   * @throws The system's error where the file can't be opened.
   */
  static take(files: Files, path: string): LedgerLock | null {
    const file = Deno.openSync(path, { read: true });
    try {
      if (file.tryLockSync(true)) {
        const locked = file.statSync();
        const named = files.facts(path);
        if (
          named?.kind === "file" && Number(named.ino) === locked.ino &&
          Number(named.dev) === locked.dev
        ) return new LedgerLock(file);
      }
    } catch (error) {
      file.close();
      throw error;
    }
    file.close();
    return null;
  }

  /** Gives the lock back. */
  release(): void {
    this.#file.close();
  }
}
