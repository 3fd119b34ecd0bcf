// The runtime base of a binary: `deno compile` downloads one from Deno's own
// site, which not every machine may reach. $DENORT_BIN names one that is there
// already; Deno itself honours that variable, for its own platform.

import { NotBuilt } from "./not_built.ts";
import type { BuildTarget } from "./targets.ts";

/**
 * The base that is at hand for a platform.
 *
 * @returns Its path; null where Deno is to take its own download.
 * @throws {NotBuilt} if $DENORT_BIN names no file.
 */
export function runtimeBase({ triple }: BuildTarget): string | null {
  const path = Deno.env.get("DENORT_BIN");
  if (path === undefined || path === "") return null;
  // A base given by hand is this machine's own.
  if (triple !== Deno.build.target) return null;
  try {
    if (Deno.statSync(path).isFile) return path;
  } catch {
    // Said below.
  }
  throw new NotBuilt(`$DENORT_BIN names no file: "${path}"`);
}
