// What both sweeps share: a fault-free baseline to count operations of, the
// places where a fault is worth trying, and the checks after recovery.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { RecoveryRefusal } from "../lib/evidence/read_manifest.ts";
import {
  conductBaseline,
  freshFolder,
  recoverLabRun,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { assertClosed, contentsOf } from "./closed_run.ts";
import { type Fault, type FaultKind, ONLY_AT } from "./fault_kinds.ts";
import { FaultyFiles } from "./faulty_files.ts";

/** Operations of a whole baseline, and the source's bytes by version. */
export async function wholeBaseline(): Promise<
  { operations: readonly string[]; versions: readonly string[] }
> {
  using folder = freshFolder();
  const files = new FaultyFiles(unflushedFiles);
  const final = await conductBaseline(files, folder.path);
  assert.equal(final["verified_success"], true);
  const read = (name: string) =>
    fs.readFileSync(`${folder.path}/${name}`, "utf8");
  return {
    operations: files.operations,
    versions: [
      read("backups/toy_math.py.v0"),
      read("backups/toy_math.py.v1"),
      read("workspace/toy_math.py"),
    ],
  };
}

/** Number of the nth operation of a name, from 1. */
export function placeOf(
  operations: readonly string[],
  [name, nth]: readonly [name: string, nth: number],
): number {
  const all = operations.flatMap((one, index) =>
    one === name ? [index + 1] : []
  );
  const at = all[nth - 1];
  assert.ok(at !== undefined, `There is no ${name} number ${nth}`);
  return at;
}

/** Numbers of the operations at which a fault of this kind is another one. */
export function places(
  kind: FaultKind,
  operations: readonly string[],
): number[] {
  const only = ONLY_AT[kind];
  return operations.flatMap((name, index) =>
    only === undefined || only.includes(name) ? [index + 1] : []
  );
}

/** Conducts a baseline with one fault; what it throws is what it told. */
export async function faultyBaseline(
  folder: string,
  fault: Fault,
): Promise<{ files: FaultyFiles; told: string }> {
  const files = new FaultyFiles(unflushedFiles, fault);
  try {
    const final = await conductBaseline(files, folder);
    return { files, told: String(final["stop_reason"]) };
  } catch (error) {
    return { files, told: (error as Error).name };
  }
}

/**
 * Recovers, checks what is left, and recovers again to no effect.
 *
 * @param versions The source's bytes by version, as a whole run makes them.
 * @param outside What somebody else may have made of the source.
 */
export async function closeAndCheck(
  folder: string,
  versions: readonly string[],
  outside: string | null = null,
): Promise<string> {
  const before = contentsOf(folder);
  if (!Object.hasOwn(before, "manifest.json")) {
    await assert.rejects(
      () => recoverLabRun(unflushedFiles, folder),
      (error) =>
        error instanceof RecoveryRefusal && error.reason === "no_manifest",
    );
    assert.deepEqual(contentsOf(folder), before);
    return "no manifest: nothing was edited";
  }
  await recoverLabRun(unflushedFiles, folder, 1_000);
  const after = contentsOf(folder);
  assert.equal(after["audit.jsonl"], before["audit.jsonl"]);
  assert.equal(
    after["workspace/toy_math.py"],
    before["workspace/toy_math.py"],
  );
  const closed = await assertClosed(folder, versions, outside);
  assert.equal(
    (await recoverLabRun(unflushedFiles, folder, 2_000)).already,
    true,
  );
  assert.deepEqual(contentsOf(folder), after);
  const { recovered, stop, detail, evaluation, version, tail } = closed;
  return `${recovered ? "recovered" : "ended itself"}: ${stop}${
    detail === null ? "" : ` (${detail})`
  }, evaluation ${evaluation}, version ${version}, tail ${tail}`;
}

/** Prints how often each outcome came. */
export function printCounts(title: string, counts: Map<string, number>): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...counts].sort().map(([outcome, count]) =>
    `  ${String(count).padStart(5)}  ${outcome}`
  );
  // deno-lint-ignore no-console
  console.log(`${title}: ${total} runs\n${lines.join("\n")}`);
}
