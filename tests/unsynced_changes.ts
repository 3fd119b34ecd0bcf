// What a power cut takes: bytes that no fsync of their file followed, and
// entries that no fsync of their folder followed. Real file systems keep more
// of it, in no promised order; this one keeps nothing, so that a flush which is
// missing shows.

import * as fs from "node:fs";
import { dirname } from "node:path";

/** Changes since the last flush of each file and folder. */
export class UnsyncedChanges {
  /** Bytes of each file that are on the device, by its present path. */
  readonly #durableBytes = new Map<string, number>();
  /** How to take back each entry's change, oldest first, with its folder. */
  #entries: { readonly folder: string; readonly undo: () => void }[] = [];

  created(path: string): void {
    this.#durableBytes.set(path, 0);
    this.#change(path, () => fs.rmSync(path, { force: true }));
  }

  folderMade(path: string): void {
    this.#change(path, () => fs.rmSync(path, { recursive: true, force: true }));
  }

  synced(path: string): void {
    this.#durableBytes.set(path, fs.statSync(path).size);
  }

  renamed(from: string, to: string, act: () => void): void {
    const replaced = contents(to);
    const replacedBytes = this.#durableBytes.get(to);
    act();
    const moved = this.#durableBytes.get(from);
    this.#durableBytes.delete(from);
    if (moved !== undefined) this.#durableBytes.set(to, moved);
    this.#change(to, () => {
      fs.renameSync(to, from);
      if (replaced !== null) fs.writeFileSync(to, replaced, { mode: 0o600 });
      if (moved !== undefined) this.#durableBytes.set(from, moved);
      this.#durableBytes.delete(to);
      if (replacedBytes !== undefined) {
        this.#durableBytes.set(to, replacedBytes);
      }
    });
  }

  removed(path: string, act: () => void): void {
    const bytes = contents(path);
    act();
    this.#durableBytes.delete(path);
    this.#change(path, () => {
      if (bytes !== null) fs.writeFileSync(path, bytes, { mode: 0o600 });
    });
  }

  folderSynced(path: string): void {
    this.#entries = this.#entries.filter(({ folder }) => folder !== path);
  }

  /** Takes everything back that isn't on the device. */
  lose(how: "cut" | "zeros"): void {
    for (const { undo } of this.#entries.toReversed()) undo();
    for (const path of this.#durableBytes.keys()) this.loseBytes(path, how);
  }

  /** Takes a file's bytes back that aren't on the device. */
  loseBytes(path: string, how: "cut" | "zeros" = "zeros"): void {
    const bytes = contents(path);
    const durable = this.#durableBytes.get(path);
    if (bytes === null || durable === undefined) return;
    if (bytes.length <= durable) return;
    if (how === "zeros") bytes.fill(0, durable);
    fs.writeFileSync(
      path,
      how === "zeros" ? bytes : bytes.subarray(0, durable),
    );
  }

  #change(path: string, undo: () => void): void {
    this.#entries.push({ folder: dirname(path), undo });
  }
}

function contents(path: string): Uint8Array | null {
  try {
    return fs.readFileSync(path);
  } catch {
    return null;
  }
}
