// In a module of its own: every command names errors, and only some pay for
// node:fs, which takes as long to load as a small program to run.

/** The system's error code, such as `ENOSPC`, or the error's name. */
export function errorCode(error: unknown): string {
  if (error instanceof Error) {
    const { code } = error as { code?: unknown };
    return typeof code === "string" ? code : error.name;
  }
  return "unknown";
}
