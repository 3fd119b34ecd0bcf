// Baselines on disks of every size: one that is full at any byte of what a run
// writes, the audit's every byte among them.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import {
  conductBaseline,
  freshFolder,
  recoverLabRun,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import { closeAndCheck, wholeBaseline } from "./fault_sweep.ts";
import { FullDisk } from "./full_disk.ts";
import type { Counts } from "./run_fault_sweep.ts";

/** Bytes that a baseline needs of a disk. */
export async function baselineBytes(): Promise<number> {
  using folder = freshFolder();
  const disk = new FullDisk(unflushedFiles, Infinity);
  await conductBaseline(disk.files, folder.path);
  return disk.used;
}

/**
 * Conducts a baseline on a disk of each size, recovers it there, and then with
 * more room.
 *
 * @param sizes Of the disks, in bytes.
 */
export async function sweepFullDisks(sizes: Iterable<number>): Promise<Counts> {
  const { versions } = await wholeBaseline();
  const counts: Counts = new Map();
  for (const size of sizes) {
    using folder = freshFolder();
    try {
      const outcome = await onDiskOf(size, folder.path, versions);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    } catch (error) {
      throw new Error(`A disk of ${size} bytes`, { cause: error });
    }
  }
  return counts;
}

async function onDiskOf(
  size: number,
  folder: string,
  versions: readonly string[],
): Promise<string> {
  const disk = new FullDisk(unflushedFiles, size);
  const succeeded = await conductBaseline(disk.files, folder).then(
    (final) => final["verified_success"] === true,
    () => false,
  );
  assert.ok(disk.used <= size);
  const final = `${folder}/final.json`;
  if (succeeded) assert.ok(fs.existsSync(final));
  const before = contentsOf(folder);
  if (!fs.existsSync(final)) {
    // Where there is no room it says so, and leaves what it found.
    const small = await recoverLabRun(disk.files, folder, 500).then(
      () => "closed",
      (error) => (error as Error).name,
    );
    if (small !== "closed") {
      for (const [name, bytes] of Object.entries(before)) {
        assert.equal(contentsOf(folder)[name], bytes, name);
      }
      assert.ok(!fs.existsSync(final));
    }
  }
  const closed = await closeAndCheck(folder, versions);
  return succeeded ? `success; ${closed}` : closed;
}
