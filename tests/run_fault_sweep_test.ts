import assert from "node:assert/strict";
import { freshFolder, unflushedFiles } from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import { FAULT_KINDS, FURTHER_FAULT_KINDS } from "./fault_kinds.ts";
import { printCounts } from "./fault_sweep.ts";
import { FaultyFiles } from "./faulty_files.ts";
import { FAULTY_RUN_KINDS, sweepRunFaults } from "./run_fault_sweep.ts";
import { seededSample } from "./seeded_sample.ts";

for (const { name, conduct } of FAULTY_RUN_KINDS) {
  Deno.test(`a run of kind ${name} has all of it on the device when it returns`, async () => {
    using folder = freshFolder();
    const files = new FaultyFiles(unflushedFiles);
    await conduct(folder.path, files);
    const ended = contentsOf(folder.path);
    files.cutPower();
    assert.deepEqual(contentsOf(folder.path), ended);
  });
}

Deno.test("a run of any kind is closed after any fault at any operation", async () => {
  for (const run of FAULTY_RUN_KINDS) {
    let seed = run.name.length;
    const counts = await sweepRunFaults(
      run,
      [...FURTHER_FAULT_KINDS, ...FAULT_KINDS],
      (all) => seededSample(all.length, 2, ++seed).map((at) => all[at - 1]!),
    );
    printCounts(run.name, counts);
  }
});
