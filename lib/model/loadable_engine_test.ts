import { match, strictEqual as equal, throws } from "node:assert/strict";
import { installEngine } from "./engine.ts";
import { loadFault, requireLoadable } from "./loadable_engine.ts";
import { ModelRefusal } from "./model_refusal.ts";

Deno.test("requireLoadable() takes the engine, and refuses what the system won't load", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const engine = await installEngine({ root: `${folder}/engine` });
    requireLoadable(engine);
    const library = `${folder}/library`;
    Deno.writeTextFileSync(library, "no library");
    throws(() => requireLoadable({ ...engine, library }), (error) => {
      match((error as Error).message, /^The engine can't be loaded: /);
      return error instanceof ModelRefusal;
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("loadFault() has words of its own for noexec, and names no path", () => {
  for (
    const said of [
      "/a/b.so: failed to map segment from shared object",
      "/a/b.so: cannot open shared object file: Operation not permitted",
    ]
  ) match(loadFault(new Error(said)), /mounted noexec; start in another/);
  equal(
    loadFault(new Error("libc.so.6: not found (required by /a/b.so)")),
    "The engine can't be loaded: libc.so.6: not found (required by …)",
  );
});
