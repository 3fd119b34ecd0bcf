// deno-lint-ignore-file no-console -- a task speaks on the console
// Every mutant of every run of the sweep, or every NTH; all take a few minutes.
// The tests take a part of them.
//
// usage: deno run -A tasks/mutation_sweep.ts [NTH]

import { sweep, sweptText, unshown } from "../tests/mutation_sweep.ts";
import { sweptRuns } from "../tests/swept_runs.ts";
import { TaskUsage } from "./usage.ts";

const usage = new TaskUsage(import.meta.url);
const every = usage.whole("NTH", usage.operands(0, 1)[0], 1);
const swept = await sweep(await sweptRuns(), every);
console.log(sweptText(swept));
const stale = every === 1 ? unshown(swept) : [];
for (const one of stale) {
  console.log(`Listed, and not shown by any mutant: ${JSON.stringify(one)}`);
}
const faults = [swept.unlisted, swept.unsigned, swept.thrown, stale];
if (faults.some((list) => list.length > 0)) Deno.exit(1);
