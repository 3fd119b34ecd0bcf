// The file interface with one fault in it. Every operation is counted, reading
// and closing among them; at the Nth the fault happens. What a dead process
// leaves to its kernel is done too: its files are closed, its locks released.

import type { FileHandle, FileLock, Files } from "../lib/system/files.ts";
import { UnsyncedChanges } from "./unsynced_changes.ts";

/** What happens at the operation that a fault is for. */
export const FAULT_KINDS = [
  /** It fails without acting, as from a damaged disk; the process goes on. */
  "eio",
  /** It fails without acting, as on a full disk; the process goes on. */
  "enospc",
  /** It is done, and reported as failed; the process goes on. */
  "eio_after",
  /** Half of the bytes arrive and are counted; the process goes on. */
  "short_write",
  /** The process dies before it. */
  "stop_before",
  /** Half of the bytes arrive, and the process dies. */
  "torn_write",
  /** It is done, and the process dies before it learns so. */
  "stop_after",
  /** Like `stop_before`, and what was never flushed is lost. */
  "power_cut",
  /** Like `power_cut`, with zeros where unflushed bytes would have been. */
  "power_cut_zeros",
] as const;

/** One of {@link FAULT_KINDS}. */
export type FaultKind = typeof FAULT_KINDS[number];

/** Kinds after which the process is dead. */
export const DEADLY: ReadonlySet<FaultKind> = new Set([
  "stop_before",
  "torn_write",
  "stop_after",
  "power_cut",
  "power_cut_zeros",
]);

/** One fault, at one operation. */
export interface Fault {
  readonly kind: FaultKind;
  /** Number of the operation, from 1. */
  readonly at: number;
}

/** Thrown by every operation of a process that is dead. */
export class ProcessStopped extends Error {
  override readonly name = "ProcessStopped";
}

type Act<T> = {
  readonly name: string;
  readonly act: () => T;
  /** Half of a write; absent where there is nothing to halve. */
  readonly half?: () => T;
  /** Whether the system does it even where it reports a fault (close(2)). */
  readonly always?: true;
};

/** Files with a fault in them; without one, a count of operations. */
export class FaultyFiles implements Files {
  /** Names of the operations so far, in order. */
  readonly operations: string[] = [];
  readonly #disk: Files;
  readonly #fault: Fault | null;
  readonly #open = new Set<{ close(): void }>();
  readonly #unsynced = new UnsyncedChanges();
  #stopped = false;

  constructor(disk: Files, fault: Fault | null = null) {
    this.#disk = disk;
    this.#fault = fault;
  }

  /** Whether the process is dead. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Takes away what isn't on the device, as the end of the power would. */
  cutPower(): void {
    this.#unsynced.lose("cut");
  }

  realPath(path: string): string {
    return this.#do({ name: "realPath", act: () => this.#disk.realPath(path) });
  }

  facts(path: string): ReturnType<Files["facts"]> {
    return this.#do({ name: "facts", act: () => this.#disk.facts(path) });
  }

  list(path: string): string[] {
    return this.#do({ name: "list", act: () => this.#disk.list(path) });
  }

  open(path: string): FileHandle {
    const act = () => this.#held(this.#disk.open(path));
    return this.#handle(this.#do({ name: "open", act }), path);
  }

  create(path: string): FileHandle {
    const act = () => {
      const file = this.#held(this.#disk.create(path));
      this.#unsynced.created(path);
      return file;
    };
    return this.#handle(this.#do({ name: "create", act }), path);
  }

  makeFolder(path: string): void {
    this.#do({
      name: "makeFolder",
      act: () => {
        this.#disk.makeFolder(path);
        this.#unsynced.folderMade(path);
      },
    });
  }

  rename(from: string, to: string): void {
    this.#do({
      name: "rename",
      act: () =>
        this.#unsynced.renamed(from, to, () => this.#disk.rename(from, to)),
    });
  }

  remove(path: string): void {
    this.#do({
      name: "remove",
      act: () => this.#unsynced.removed(path, () => this.#disk.remove(path)),
    });
  }

  syncFolder(path: string): void {
    this.#do({
      name: "syncFolder",
      act: () => {
        this.#disk.syncFolder(path);
        this.#unsynced.folderSynced(path);
      },
    });
  }

  lock(path: string): FileLock | null {
    const act = () => {
      const lock = this.#disk.lock(path);
      return lock && this.#held({ close: () => lock.release() });
    };
    const held = this.#do({ name: "lock", act });
    return held && { release: () => this.#close("release", held) };
  }

  /** Takes note of what the kernel would close for a dead process. */
  #held<T extends { close(): void }>(held: T): T {
    this.#open.add(held);
    return held;
  }

  #handle(file: FileHandle, path: string): FileHandle {
    return {
      facts: () => this.#do({ name: "fstat", act: () => file.facts() }),
      read: (most) => this.#do({ name: "read", act: () => file.read(most) }),
      write: (bytes) =>
        this.#do({
          name: "write",
          act: () => file.write(bytes),
          half: () => file.write(bytes.subarray(0, bytes.length >> 1)),
        }),
      sync: () =>
        this.#do({
          name: "sync",
          act: () => {
            file.sync();
            this.#unsynced.synced(path);
          },
        }),
      close: () => this.#close("close", file),
    };
  }

  #close(name: string, held: { close(): void }): void {
    this.#do({
      name,
      act: () => {
        this.#open.delete(held);
        held.close();
      },
      always: true,
    });
  }

  #do<T>({ name, act, half, always }: Act<T>): T {
    if (this.#stopped) throw new ProcessStopped("The process is dead");
    this.operations.push(name);
    const fault = this.#fault;
    if (fault === null || this.operations.length !== fault.at) return act();
    switch (fault.kind) {
      case "eio":
      case "enospc":
        if (always) act();
        throw systemError(fault.kind.toUpperCase());
      case "eio_after": {
        const before = new Set(this.#open);
        act();
        for (const held of this.#open.difference(before)) {
          this.#open.delete(held);
          held.close();
        }
        throw systemError("EIO");
      }
      case "short_write":
        return (half ?? act)();
      case "stop_before":
        return this.#die();
      case "torn_write":
        (half ?? act)();
        return this.#die();
      case "stop_after":
        act();
        return this.#die();
      case "power_cut":
        return this.#die(() => this.#unsynced.lose("cut"));
      case "power_cut_zeros":
        return this.#die(() => this.#unsynced.lose("zeros"));
    }
  }

  #die(after: () => void = () => {}): never {
    this.#stopped = true;
    for (const held of this.#open) held.close();
    this.#open.clear();
    after();
    throw new ProcessStopped("The process dies here");
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(`Injected ${code}`), { code });
}
