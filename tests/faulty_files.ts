// The file interface with one fault in it. Every operation is counted, reading
// and closing among them; at the Nth the fault happens. What a dead process
// leaves to its kernel is done too: its files are closed, its locks released.

import type { FileHandle, FileLock, Files } from "../lib/system/files.ts";
import { type Fault, lastingError, type Operation } from "./fault_kinds.ts";
import { UnsyncedChanges } from "./unsynced_changes.ts";

/** Thrown by every operation of a process that is dead. */
export class ProcessStopped extends Error {
  override readonly name = "ProcessStopped";
}

export {
  DEADLY,
  type Fault,
  FAULT_KINDS,
  type FaultKind,
} from "./fault_kinds.ts";

type Act<T> = Operation & {
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
  /** The operation that the fault was for. */
  #first: Operation | null = null;
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
    return this.#do({
      name: "realPath",
      path,
      act: () => this.#disk.realPath(path),
    });
  }

  facts(path: string): ReturnType<Files["facts"]> {
    return this.#do({ name: "facts", path, act: () => this.#disk.facts(path) });
  }

  list(path: string): string[] {
    return this.#do({ name: "list", path, act: () => this.#disk.list(path) });
  }

  open(path: string): FileHandle {
    const act = () => this.#held(this.#disk.open(path));
    return this.#handle(this.#do({ name: "open", path, act }), path);
  }

  create(path: string): FileHandle {
    const act = () => {
      const file = this.#held(this.#disk.create(path));
      this.#unsynced.created(path);
      return file;
    };
    return this.#handle(this.#do({ name: "create", path, act }), path);
  }

  makeFolder(path: string): void {
    this.#do({
      name: "makeFolder",
      path,
      act: () => {
        this.#disk.makeFolder(path);
        this.#unsynced.folderMade(path);
      },
    });
  }

  rename(from: string, to: string): void {
    this.#do({
      name: "rename",
      path: from,
      act: () =>
        this.#unsynced.renamed(from, to, () => this.#disk.rename(from, to)),
    });
  }

  remove(path: string): void {
    this.#do({
      name: "remove",
      path,
      act: () => this.#unsynced.removed(path, () => this.#disk.remove(path)),
    });
  }

  syncFolder(path: string): void {
    this.#do({
      name: "syncFolder",
      path,
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
    const held = this.#do({ name: "lock", path, act });
    return held && { release: () => this.#close("release", path, held) };
  }

  /** Takes note of what the kernel would close for a dead process. */
  #held<T extends { close(): void }>(held: T): T {
    this.#open.add(held);
    return held;
  }

  #handle(file: FileHandle, path: string): FileHandle {
    return {
      facts: () => this.#do({ name: "fstat", path, act: () => file.facts() }),
      read: (most) =>
        this.#do({ name: "read", path, act: () => file.read(most) }),
      write: (bytes) =>
        this.#do({
          name: "write",
          path,
          act: () => file.write(bytes),
          half: () => file.write(bytes.subarray(0, bytes.length >> 1)),
        }),
      sync: () =>
        this.#do({
          name: "sync",
          path,
          act: () => {
            file.sync();
            this.#unsynced.synced(path);
          },
        }),
      close: () => this.#close("close", path, file),
    };
  }

  #close(name: string, path: string, held: { close(): void }): void {
    this.#do({
      name,
      path,
      act: () => {
        this.#open.delete(held);
        held.close();
      },
      always: true,
    });
  }

  #do<T>({ name, path, act, half, always }: Act<T>): T {
    if (this.#stopped) throw new ProcessStopped("The process is dead");
    this.operations.push(name);
    const fault = this.#fault;
    const number = this.operations.length;
    const fail = (code: string): never => {
      if (always) act();
      throw systemError(code);
    };
    if (fault === null || number < fault.at) return act();
    if (number > fault.at) {
      const code = lastingError(fault.kind, this.#first!, { name, path });
      return code === null ? act() : fail(code);
    }
    this.#first = { name, path };
    switch (fault.kind) {
      case "eio":
      case "enospc":
      case "edquot":
      case "erofs":
      case "eacces":
        return fail(fault.kind.toUpperCase());
      case "sync_lost":
        this.#unsynced.loseBytes(path);
        return fail("EIO");
      case "eio_from":
      case "erofs_from":
      case "enospc_from":
      case "eio_of_path":
        return fail(fault.kind.replace(/_.*/, "").toUpperCase());
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
