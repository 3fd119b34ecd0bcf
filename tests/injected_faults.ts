// The real program with one fault of the system in it: strace lets the nth call
// of a kind on the files named fail, as a damaged or full disk would. Nothing of
// the program takes part in it, so that no way to the disk is left out: Deno's,
// Node's, and that of native code.

import * as fs from "node:fs";
import { launch, type Left, leftBy } from "./launched.ts";

/** A command of the program, and the files of which calls are counted. */
export interface WatchedCommand {
  /** Folder that it is started in, by its real path. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** Paths below that folder, whether they exist yet or not. */
  readonly paths: readonly string[];
  /** What it reads on its input; nothing if absent. */
  readonly input?: string;
}

/** One fault. */
export interface InjectedFault {
  /** Name of the system call. */
  readonly call: string;
  /** Name of the error that it answers, such as `EIO`. */
  readonly error: string;
  /** Which of a thread's calls of that name on these files, from 1. */
  readonly nth: number;
  /** Whether all later ones fail too. */
  readonly onwards?: boolean;
}

/** What a command left that had a fault in it. */
export interface LeftWithFault extends Left {
  /** How often the fault happened: once a thread that makes so many calls. */
  readonly injected: number;
}

/** Errors that a system may answer to a call on a file, by the call's name. */
export const POSSIBLE_ERRORS: Readonly<Record<string, readonly string[]>> = {
  openat: ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE"],
  mkdir: ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES"],
  rename: ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES"],
  unlink: ["EIO", "EROFS", "EACCES"],
  rmdir: ["EIO", "EROFS", "EACCES"],
  ftruncate: ["EIO", "EROFS"],
  write: ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
  pwrite64: ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
  fsync: ["EIO", "ENOSPC", "EDQUOT", "EROFS"],
  close: ["EIO", "ENOSPC", "EDQUOT"],
  flock: ["EIO", "ENOLCK"],
  read: ["EIO", "EINTR"],
  pread64: ["EIO", "EINTR"],
  getdents64: ["EIO"],
  statx: ["EIO", "EACCES"],
  readlink: ["EIO", "EACCES"],
  mmap: ["EACCES", "ENOMEM"],
};

const CALLS = Object.keys(POSSIBLE_ERRORS).join(",");

/** Counts a command's calls by name, in the thread that makes most of each. */
export async function countCalls(
  command: WatchedCommand,
): Promise<{ left: Left; calls: ReadonlyMap<string, number> }> {
  const { left, log } = await underStrace(command, []);
  const byThread = new Map<string, number>();
  for (const [, thread, call] of log.matchAll(/^(\d+) +(\w+)\(/gm)) {
    const key = `${call} ${thread}`;
    byThread.set(key, (byThread.get(key) ?? 0) + 1);
  }
  const calls = new Map<string, number>();
  for (const [key, count] of byThread) {
    const call = key.split(" ")[0]!;
    calls.set(call, Math.max(calls.get(call) ?? 0, count));
  }
  return { left, calls };
}

/** Every fault that is possible in a command whose calls were counted. */
export function everyFault(
  calls: ReadonlyMap<string, number>,
): InjectedFault[] {
  return [...calls].flatMap(([call, count]) =>
    POSSIBLE_ERRORS[call]!.flatMap((error) =>
      Array.from({ length: count }, (_, index) => ({
        call,
        error,
        nth: index + 1,
      }))
    )
  );
}

/** Runs a command with one fault in it. */
export async function withFault(
  command: WatchedCommand,
  { call, error, nth, onwards = false }: InjectedFault,
): Promise<LeftWithFault> {
  const { left, log } = await underStrace(command, [
    `--inject=${call}:error=${error}:when=${nth}${onwards ? "+" : ""}`,
  ]);
  return { ...left, injected: log.match(/\(INJECTED\)$/gm)?.length ?? 0 };
}

async function underStrace(
  { cwd, args, paths, input = "" }: WatchedCommand,
  options: readonly string[],
): Promise<{ left: Left; log: string }> {
  const log = Deno.makeTempFileSync({ prefix: "tinycoder-trace-" });
  try {
    const child = launch(cwd, args, {
      stdin: "piped",
      within: [
        "strace",
        "--follow-forks",
        "--quiet=all",
        "--seccomp-bpf",
        `--trace=${CALLS}`,
        ...paths.map((path) => `--trace-path=${cwd}/${path}`),
        ...options,
        `--output=${log}`,
      ],
    });
    const writer = child.stdin.getWriter();
    // It may have ended without reading.
    await writer.write(new TextEncoder().encode(input)).catch(() => {});
    await writer.close().catch(() => {});
    const left = await leftBy(child);
    return { left, log: fs.readFileSync(log, "utf8") };
  } finally {
    Deno.removeSync(log);
  }
}
