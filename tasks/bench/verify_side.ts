// deno-lint-ignore-file no-console -- a task speaks on the console
// Verifies one run of the idle task, and says what it took.
//
// usage: deno run -A tasks/bench/verify_side.ts RUN PROPOSALS CHARACTERS

import { verifyRun } from "../../lib/evidence/verify.ts";
import { diskFiles } from "../../lib/system/files.ts";
import { idleVerification } from "../../tests/large_run.ts";
import { TaskUsage } from "../usage.ts";

const usage = new TaskUsage(import.meta.url);
const [typedRun, proposals, characters] = usage.operands(3, 3);
const run = usage.present("RUN", typedRun, "folder");
const task = idleVerification({
  proposals: usage.whole("PROPOSALS", proposals, 1),
  requestCharacters: usage.whole("CHARACTERS", characters, 1, 0),
});
const before = performance.now();
const { holds, checks, discrepancy } = await verifyRun({
  files: diskFiles,
  folder: run,
  taskOf: () => task,
});
const elapsedMs = performance.now() - before;
if (!holds) throw new Error(discrepancy?.message);
const status = Deno.readTextFileSync("/proc/self/status");
console.log(JSON.stringify({
  records: checks.find(({ name }) => name === "records")?.checked,
  elapsedMs,
  peakBytes: 1_024 * Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]),
}));
