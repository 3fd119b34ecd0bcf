// Verified native files may still be ones that the system won't load: a file
// system mounted noexec, a library that isn't there.

import type { InstalledEngine } from "./engine.ts";
import { refuse, sentenceOf } from "./model_refusal.ts";

/**
 * Has the system load the engine's library, so that a trial which couldn't load
 * it is refused before its one chance is used.
 *
 * @returns The C library's `_exit`, which that library brings along: it ends the
 * process at once, whatever the engine computes.
 * @throws {ModelRefusal} If it can't be loaded.
 */
export function requireLoadable(
  { library }: InstalledEngine,
): (code: number) => void {
  try {
    const { symbols } = Deno.dlopen(library, {
      _exit: { parameters: ["i32"], result: "void" },
    });
    return (code) => symbols._exit(code);
  } catch (error) {
    refuse(loadFault(error));
  }
}

/** One sentence about an error of the system's loader. */
export function loadFault(error: unknown): string {
  return /failed to map segment|operation not permitted/i.test(String(error))
    ? "The engine's files may not be executed where they are: the current " +
      "folder lies on a file system mounted noexec; start in another folder"
    : `The engine can't be loaded: ${sentenceOf(error)}`;
}
