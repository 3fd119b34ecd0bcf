// What an outsider of a scenario can do here is tried, not assumed.

import { errorCode } from "../../system/files.ts";
import type { OutsideTools } from "./outside.ts";

/**
 * Tries which links this program may make.
 *
 * @param folder A folder of its own; nothing is left in it.
 */
export function probeOutsideTools(folder: string): OutsideTools {
  const probe = `${folder}/probe`;
  const link = `${folder}/probe.link`;
  Deno.writeFileSync(probe, new Uint8Array());
  try {
    return {
      symlink: tried("symbolic links", Deno.symlinkSync, probe, link),
      hard_link: tried("hard links", Deno.linkSync, probe, link),
      fifo: "a FIFO is made by another program, and this one starts none",
    };
  } finally {
    Deno.removeSync(probe);
  }
}

type MakeLink = (existing: string, path: string) => void;

function tried(
  what: string,
  make: MakeLink,
  existing: string,
  path: string,
): MakeLink | string {
  try {
    make(existing, path);
  } catch (error) {
    return error instanceof Deno.errors.NotCapable
      ? `this program has no right to make ${what}`
      : `the system lets nobody make ${what} here (${errorCode(error)})`;
  }
  Deno.removeSync(path);
  return make;
}
