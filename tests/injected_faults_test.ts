// Faults that the real program met once in a sweep, or that only a real system's
// answers show; tasks/fault_sweep.ts has all of them.

import assert from "node:assert/strict";
import { FAULTY_COMMANDS } from "./faulty_commands.ts";
import { ready } from "./readied_command.ts";
import { everyFault, type InjectedFault } from "./injected_faults.ts";

/** Faults by command, each with the outcome that it leads to. */
const FAULTS: Readonly<
  Record<string, readonly (InjectedFault & { readonly leads: RegExp })[]>
> = {
  baseline: [
    {
      ...{ call: "write", error: "EDQUOT", nth: 9 },
      leads: /^exit 5: .*\(the disk quota is used up\)\..*; recovered: /,
    },
    {
      ...{ call: "rename", error: "EIO", nth: 2 },
      leads: /^exit 5: ; ended itself: harness_error \(rename: EIO\), /,
    },
  ],
  recover: [
    {
      ...{ call: "fsync", error: "EIO", nth: 2 },
      leads: /^exit 5: Cannot recover the run "run": .*; recovered: /,
    },
  ],
  predict: [
    {
      ...{ call: "write", error: "ENOSPC", nth: 1 },
      leads: /^exit 3: .*: the disk is full\. .*; no predictions\.json$/,
    },
  ],
  acquire: [
    {
      // The folder's flush fails after a file has got its final name.
      ...{ call: "fsync", error: "EIO", nth: 4 },
      leads: /^exit 5: Cannot use the model folder "model": the disk failed\./,
    },
  ],
  trial: [
    {
      ...{ call: "pread64", error: "EIO", nth: 1 },
      leads:
        /^exit 0; ended itself: model_error \("model\.safetensors" can't be read: the disk failed\)/,
    },
  ],
};

for (const [name, faults] of Object.entries(FAULTS)) {
  Deno.test(`tinycoder's command "${name}" tells a fault of the system, and leaves nothing half`, async () => {
    const command = FAULTY_COMMANDS.find((one) => one.name === name);
    assert.ok(command !== undefined);
    using readied = await ready(command);
    for (const { leads, ...fault } of faults) {
      assert.match(await readied.meet(fault), leads);
    }
  });
}

Deno.test("everyFault() names each call of a command with each error", () => {
  assert.deepEqual(everyFault(new Map([["flock", 2]])), [
    { call: "flock", error: "EIO", nth: 1 },
    { call: "flock", error: "EIO", nth: 2 },
    { call: "flock", error: "ENOLCK", nth: 1 },
    { call: "flock", error: "ENOLCK", nth: 2 },
  ]);
});
