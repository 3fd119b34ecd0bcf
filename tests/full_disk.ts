// The file interface over a disk that holds so many bytes and no more: a write
// stores what there is room for, and the next one is refused.

import type { Files } from "../lib/system/files.ts";

/** Files on a small disk. */
export class FullDisk {
  readonly files: Files;
  /** Bytes of each file, by its path. */
  readonly #sizes = new Map<string, number>();
  readonly #capacity: number;

  /**
   * @param disk Where the files really are.
   * @param capacity Bytes of files' contents that fit; entries take none.
   */
  constructor(disk: Files, capacity: number) {
    this.#capacity = capacity;
    this.files = {
      ...disk,
      create: (path) => {
        const file = disk.create(path);
        this.#sizes.set(path, 0);
        return {
          ...file,
          write: (bytes) => {
            const room = this.#capacity - this.used;
            if (room === 0 && bytes.length > 0) throw full();
            const count = file.write(bytes.subarray(0, room));
            this.#sizes.set(path, this.#sizes.get(path)! + count);
            return count;
          },
        };
      },
      rename: (from, to) => {
        disk.rename(from, to);
        this.#sizes.set(to, this.#sizes.get(from) ?? 0);
        this.#sizes.delete(from);
      },
      remove: (path) => {
        disk.remove(path);
        this.#sizes.delete(path);
      },
    };
  }

  /** Bytes that are taken. */
  get used(): number {
    let sum = 0;
    for (const size of this.#sizes.values()) sum += size;
    return sum;
  }
}

function full(): Error {
  return Object.assign(new Error("Injected ENOSPC"), { code: "ENOSPC" });
}
