// Stands in for main.ts in leaving_test.ts: it loads the engine as a trial does,
// has the C library abort the process where anything runs at exit, and ends.

import { installEngine } from "../lib/model/engine.ts";
import { requireLoadable } from "../lib/model/loadable_engine.ts";
import { endBy, endProgram } from "../lib/system/end_program.ts";

const [root, how] = Deno.args;
const engine = await installEngine({ root: root! });
const exit = requireLoadable(engine);
const { symbols } = Deno.dlopen(engine.library, {
  abort: { type: "pointer" },
  __cxa_atexit: {
    parameters: ["pointer", "pointer", "pointer"],
    result: "i32",
  },
});
symbols.__cxa_atexit(symbols.abort, null, null);
await Deno.stdout.write(new TextEncoder().encode("all said"));
if (how === "ours") endBy(exit);
endProgram(130);
