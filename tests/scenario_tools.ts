// What an outsider can do in tests: everything, so that no scenario is skipped.

import type { OutsideTools } from "../lib/cli/scenarios/outside.ts";

/** Links and FIFOs, made by the system. */
export const EVERY_TOOL: OutsideTools = {
  symlink: (target, path) => Deno.symlinkSync(target, path),
  hard_link: (existing, path) => Deno.linkSync(existing, path),
  fifo: (path) => {
    const { success } = new Deno.Command("mkfifo", { args: [path] })
      .outputSync();
    if (!success) throw new Error("mkfifo failed");
  },
};

/** A fresh folder, given by its real path; `using` removes it. */
export function scenarioFolder(
  prefix = "scenario-",
): Disposable & { readonly path: string } {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix }));
  return {
    path,
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}
