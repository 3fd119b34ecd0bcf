// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno run tasks/mutation_sweep.ts`: every mutant of every run of the sweep, a
// few minutes. The tests take a part of them.

import { sweep, sweptText, unshown } from "../tests/mutation_sweep.ts";
import { sweptRuns } from "../tests/swept_runs.ts";

const every = Number(Deno.args[0] ?? 1);
const swept = await sweep(await sweptRuns(), every);
console.log(sweptText(swept));
const stale = every === 1 ? unshown(swept) : [];
for (const one of stale) {
  console.log(`Listed, and not shown by any mutant: ${JSON.stringify(one)}`);
}
const faults = [swept.unlisted, swept.unsigned, swept.thrown, stale];
if (faults.some((list) => list.length > 0)) Deno.exit(1);
