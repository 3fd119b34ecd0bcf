// What can go wrong at one operation on a file, and from there on.

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

/** What doesn't end with that operation, or is another answer to it. */
export const FURTHER_FAULT_KINDS = [
  /** It fails without acting, over a quota; the process goes on. */
  "edquot",
  /** It fails without acting, on a disk made read-only; the process goes on. */
  "erofs",
  /** It fails without acting, for want of a right; the process goes on. */
  "eacces",
  /** A flush fails, and what it was for is lost: zeros are in its place. */
  "sync_lost",
  /** Everything fails from there on: the disk is gone. */
  "eio_from",
  /** Whatever changes something fails from there on: it was made read-only. */
  "erofs_from",
  /** Whatever takes room fails from there on. */
  "enospc_from",
  /** Whatever touches that file or folder fails from there on. */
  "eio_of_path",
] as const;

/** One of the kinds. */
export type FaultKind =
  | typeof FAULT_KINDS[number]
  | typeof FURTHER_FAULT_KINDS[number];

/** Kinds after which the process is dead. */
export const DEADLY: ReadonlySet<FaultKind> = new Set([
  "stop_before",
  "torn_write",
  "stop_after",
  "power_cut",
  "power_cut_zeros",
]);

/** Operations for which a disk needs room. */
const TAKING_ROOM = ["create", "makeFolder", "write"];
/** Operations that a read-only disk refuses. */
const CHANGING = [...TAKING_ROOM, "rename", "remove", "sync", "syncFolder"];

/** Operations at which alone a kind of fault makes a difference. */
export const ONLY_AT: Readonly<Partial<Record<FaultKind, readonly string[]>>> =
  {
    short_write: ["write"],
    torn_write: ["write"],
    sync_lost: ["sync"],
    erofs_from: CHANGING,
    enospc_from: TAKING_ROOM,
  };

/** One fault. */
export interface Fault {
  readonly kind: FaultKind;
  /** Number of the operation, from 1. */
  readonly at: number;
}

/** One operation, as it is counted. */
export interface Operation {
  readonly name: string;
  readonly path: string;
}

/**
 * The error that a later operation meets because of a fault; null for none.
 *
 * @param first The operation that the fault is for.
 */
export function lastingError(
  kind: FaultKind,
  first: Operation,
  later: Operation,
): string | null {
  switch (kind) {
    case "eio_from":
      return "EIO";
    case "erofs_from":
      return CHANGING.includes(later.name) ? "EROFS" : null;
    case "enospc_from":
      return TAKING_ROOM.includes(later.name) ? "ENOSPC" : null;
    case "eio_of_path":
      return later.path === first.path ? "EIO" : null;
    default:
      return null;
  }
}
