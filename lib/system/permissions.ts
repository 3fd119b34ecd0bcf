// The one table of permissions. The binary's flags, the checkout's launcher,
// the README's table and the test of all three follow from it.

/** Deno's permission kinds that the table speaks of. */
export type PermissionKind = "read" | "write" | "net" | "ffi" | "env" | "sys";

/** One right of the whole program, and what it is for. */
export interface Right {
  readonly kind: PermissionKind;
  /** As Deno's flag takes them; relative paths count from the current folder. */
  readonly scope: readonly string[];
  readonly why: string;
}

/** Names that mark the top folder of a repository. */
export const REPOSITORY_MARKS = [".git", ".hg", ".svn", ".jj"] as const;

/** How many folders above the current one can be checked for a repository. */
export const ANCESTOR_LEVELS = 16;

/** The repository marks above the current folder, nearest first. */
export const ANCESTOR_MARKS: readonly string[] = Array.from(
  { length: ANCESTOR_LEVELS },
  (_, level) => "../".repeat(level + 1),
).flatMap((up) => REPOSITORY_MARKS.map((mark) => up + mark));

/**
 * A run's audit, above the current folder: then that is one of the run's own
 * folders, which lie right below it.
 */
export const RUN_MARK_ABOVE = "../audit.jsonl";

/** Folder of the engine's native files, below the current one. */
export const ENGINE_FOLDER = ".tinycoder-engine";

/** The variable that switches ONNX Runtime's telemetry off. */
export const TELEMETRY_VARIABLE = "ORT_DISABLE_TELEMETRY";

/** What the program may do at most; there is no right to run anything. */
export const RIGHTS: readonly Right[] = [
  {
    kind: "read",
    scope: [".", ...ANCESTOR_MARKS, RUN_MARK_ABOVE],
    why: "the folder it is started in; above it only whether a repository " +
      "or a run is there",
  },
  { kind: "write", scope: ["."], why: "the folder it is started in" },
  {
    kind: "net",
    scope: ["huggingface.co:443", "*.huggingface.co:443", "*.hf.co:443"],
    why: "acquisition of the model's files, and nothing else",
  },
  {
    kind: "ffi",
    scope: [ENGINE_FOLDER],
    why: "ONNX Runtime's verified native files",
  },
  {
    kind: "env",
    scope: [TELEMETRY_VARIABLE],
    why: "switches ONNX Runtime's telemetry off",
  },
  {
    kind: "sys",
    scope: ["statfs", "systemMemoryInfo", "osUptime", "osRelease", "cpus"],
    why: "free disk and memory, the acquisition's window, the manifest",
  },
];

/**
 * Deno's permission flags for the program.
 *
 * @param alsoRead Further readable paths: a checkout's own sources.
 */
export function permissionFlags(alsoRead: readonly string[] = []): string[] {
  return [
    "--no-prompt",
    ...RIGHTS.map(({ kind, scope }) =>
      `--allow-${kind}=${
        [...(kind === "read" ? alsoRead : []), ...scope].join(",")
      }`
    ),
  ];
}

/** No right at all: what each worker's own rights are added to. */
export const NO_RIGHTS: Deno.PermissionOptionsObject = {
  read: false,
  write: false,
  net: false,
  env: false,
  sys: false,
  run: false,
  ffi: false,
  import: false,
};

/**
 * The controller's rights: one run's folder.
 *
 * @param folder Its real path.
 */
export function controllerRights(
  folder: string,
): Deno.PermissionOptionsObject {
  return { ...NO_RIGHTS, read: [folder], write: [folder] };
}

/**
 * The model worker's rights: one model folder, one native file.
 *
 * @param folder The model folder's real path.
 * @param binding The verified native file's real path.
 */
export function modelRights(
  folder: string,
  binding: string,
): Deno.PermissionOptionsObject {
  return {
    ...NO_RIGHTS,
    read: [folder],
    ffi: [binding],
    env: [TELEMETRY_VARIABLE],
  };
}

/**
 * Gives up reading the marks above the current folder: such a right would also
 * cover what lies below them. Only after all of the checks, since near the top
 * several of them are the same path.
 */
export function giveUpAncestorMarks(): void {
  for (const path of [...ANCESTOR_MARKS, RUN_MARK_ABOVE]) {
    Deno.permissions.revokeSync({ name: "read", path });
  }
}

/** Gives up whole kinds of rights, for this program's whole life. */
export function giveUp(...kinds: readonly PermissionKind[]): void {
  for (const name of kinds) Deno.permissions.revokeSync({ name });
}
