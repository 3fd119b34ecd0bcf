// In a module of its own: every command names errors, and only some pay for
// node:fs, which takes as long to load as a small program to run.

/** The system's error code, such as `ENOSPC`, or the error's name. */
export function errorCode(error: unknown): string {
  return systemCode(error) ??
    (error instanceof Error ? error.name : "unknown");
}

/**
 * The system's error code, such as `ENOSPC`; null where it wasn't the system that
 * answered. One that this program has no name for is named by its number.
 */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, errno, message } = error as Error & {
    code?: unknown;
    errno?: unknown;
  };
  if (typeof code === "string" && code !== UNNAMED) return code;
  // Deno has no code for some errors, quotas among them: what it can't name has
  // its number in a field (node:fs), or in the message.
  const number = typeof errno === "number"
    ? Math.abs(errno)
    : Number(/\(os error (\d+)\)/.exec(message)?.[1] ?? 0);
  if (number !== 0) return NUMBERED[number] ?? `error ${number}`;
  return typeof code === "string" ? code : null;
}

/** Whether the system, or the program's own rights, forbid it. */
export function isDenied(error: unknown): boolean {
  return ["EACCES", "EPERM", "NotCapable", "PermissionDenied"]
    .includes(errorCode(error));
}

/** What node:fs calls an error that it can't name. */
const UNNAMED = "UNKNOWN";

/** Errors of a file system that Deno doesn't name everywhere, by number. */
const NUMBERED: Readonly<Record<number, string>> = Deno.build.os === "linux"
  ? { 4: "EINTR", 27: "EFBIG", 37: "ENOLCK", 116: "ESTALE", 122: "EDQUOT" }
  : { 4: "EINTR", 27: "EFBIG", 77: "ENOLCK", 70: "ESTALE", 69: "EDQUOT" };
