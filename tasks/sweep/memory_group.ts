// A control group of the kernel's, to give programs less memory than the machine
// has. Needs root, and a hierarchy that may be written.

import * as fs from "node:fs";

/** Where the two versions of control groups keep memory's. */
const PLACES = [
  {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
  },
  { root: "/sys/fs/cgroup", limit: "memory.max", usage: "memory.current" },
] as const;

/** A group of programs with a limit of memory. */
export class MemoryGroup implements Disposable {
  readonly #folder: string;
  readonly #place: typeof PLACES[number];

  private constructor(folder: string, place: typeof PLACES[number]) {
    this.#folder = folder;
    this.#place = place;
  }

  /** A new group without a limit; null where none can be made. */
  static make(): MemoryGroup | null {
    for (const place of PLACES) {
      const folder = `${place.root}/tinycoder-${crypto.randomUUID()}`;
      try {
        fs.mkdirSync(folder);
      } catch {
        continue;
      }
      if (fs.existsSync(`${folder}/${place.limit}`)) {
        return new MemoryGroup(folder, place);
      }
      fs.rmdirSync(folder);
    }
    return null;
  }

  /** Starts a program in the group: words to put before its own. */
  get within(): readonly string[] {
    const enter = `echo $$ >"${this.#folder}/cgroup.procs"; exec "$@"`;
    return ["sh", "-c", enter, "sh"];
  }

  /** Bytes that the group has now. */
  get usage(): number {
    return Number(fs.readFileSync(`${this.#folder}/${this.#place.usage}`));
  }

  /**
   * Limits the group.
   *
   * @returns Whether the kernel took the limit; it doesn't where the group has
   * more and can't give it back.
   */
  limit(bytes: number): boolean {
    try {
      fs.writeFileSync(`${this.#folder}/${this.#place.limit}`, `${bytes}`);
      return true;
    } catch {
      return false;
    }
  }

  /** Removes the group, whose programs have ended. */
  [Symbol.dispose](): void {
    fs.rmdirSync(this.#folder);
  }
}
