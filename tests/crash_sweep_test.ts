// Every file operation of a baseline, every kind of fault: whatever happens
// there, recovery leads to before or after, with a valid chain, and a second
// recovery changes nothing. Then the same for every operation of recovery.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import {
  conductBaseline,
  freshFolder,
  recoverLabRun,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import {
  closeAndCheck,
  faultyBaseline,
  placeOf,
  places,
  printCounts,
  wholeBaseline,
} from "./fault_sweep.ts";
import {
  DEADLY,
  FAULT_KINDS,
  type FaultKind,
  FaultyFiles,
} from "./faulty_files.ts";

for (const kind of FAULT_KINDS) {
  Deno.test(`recoverRun() closes a baseline after ${kind} at any operation`, async () => {
    const { operations, versions } = await wholeBaseline();
    const counts = new Map<string, number>();
    for (const at of places(kind, operations)) {
      using folder = freshFolder();
      const { files, told } = await faultyBaseline(folder.path, { kind, at });
      try {
        assert.equal(files.stopped, DEADLY.has(kind));
        const outcome = await closeAndCheck(folder.path, versions);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      } catch (error) {
        throw new Error(
          `${kind} at operation ${at} (${operations[at - 1]}), run: ${told}`,
          { cause: error },
        );
      }
    }
    printCounts(kind, counts);
  });
}

Deno.test("conductLabRun() and recoverRun() have all of it on the device when they return", async () => {
  using folder = freshFolder();
  const files = new FaultyFiles(unflushedFiles);
  await conductBaseline(files, folder.path);
  const ended = contentsOf(folder.path);
  files.cutPower();
  assert.deepEqual(contentsOf(folder.path), ended);

  const { operations } = files;
  using dead = freshFolder();
  const at = operations.lastIndexOf("rename");
  await faultyBaseline(dead.path, { kind: "stop_before", at });
  const again = new FaultyFiles(unflushedFiles);
  await recoverLabRun(again, dead.path);
  const recovered = contentsOf(dead.path);
  again.cutPower();
  assert.deepEqual(contentsOf(dead.path), recovered);
});

/** Runs that died in ways which recovery answers differently. */
const DEATHS: readonly {
  readonly what: string;
  readonly kind: FaultKind;
  /** The operation, as the nth of its name in a whole baseline. */
  readonly at: readonly [name: string, nth: number];
}[] = [
  {
    what: "before its workspace was whole",
    kind: "stop_after",
    at: ["makeFolder", 1],
  },
  { what: "within its first intent", kind: "torn_write", at: ["write", 16] },
  {
    what: "before its second rename was flushed",
    kind: "power_cut_zeros",
    at: ["rename", 3],
  },
  { what: "after its first rename", kind: "stop_after", at: ["rename", 2] },
  { what: "before its final report", kind: "stop_before", at: ["rename", 4] },
];

for (const { what, kind, at: place } of DEATHS) {
  Deno.test(`recoverRun() may itself fail anywhere, for a run that died ${what}`, async () => {
    const { operations, versions } = await wholeBaseline();
    const at = placeOf(operations, place);
    using dead = freshFolder();
    const { files } = await faultyBaseline(dead.path, { kind, at });
    assert.equal(files.stopped, true);
    const counted = new FaultyFiles(unflushedFiles);
    {
      using folder = copyOf(dead.path);
      await recoverLabRun(counted, folder.path);
    }
    const counts = new Map<string, number>();
    for (const again of FAULT_KINDS) {
      for (const at of places(again, counted.operations)) {
        using folder = copyOf(dead.path);
        const faulty = new FaultyFiles(unflushedFiles, { kind: again, at });
        const first = await recoverLabRun(faulty, folder.path).then(
          ({ final }) => String(final["stop_reason"]),
          (error) => (error as Error).name,
        );
        const said = contentsOf(folder.path)["recovery.jsonl"];
        try {
          const outcome = await closeAndCheck(folder.path, versions);
          if (said !== undefined) {
            assert.equal(contentsOf(folder.path)["recovery.jsonl"], said);
          }
          const key = `first ${first}, then ${outcome}`;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        } catch (error) {
          const where = `${again} at operation ${at} of recovery`;
          throw new Error(`${where} (${counted.operations[at - 1]})`, {
            cause: error,
          });
        }
      }
    }
    printCounts(`died ${what}`, counts);
  });
}

function copyOf(folder: string): ReturnType<typeof freshFolder> {
  const copy = freshFolder();
  fs.cpSync(folder, copy.path, { recursive: true });
  return copy;
}
