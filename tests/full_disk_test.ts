import assert from "node:assert/strict";
import { freshFolder, unflushedFiles } from "./baseline_in_process.ts";
import { printCounts } from "./fault_sweep.ts";
import { FullDisk } from "./full_disk.ts";
import { baselineBytes, sweepFullDisks } from "./full_disk_sweep.ts";
import { seededSample } from "./seeded_sample.ts";

const bytes = (count: number) => new Uint8Array(count);

Deno.test("FullDisk stores what there is room for, and no more", () => {
  using folder = freshFolder();
  const path = (name: string) => `${folder.path}/${name}`;
  const disk = new FullDisk(unflushedFiles, 10);
  const first = disk.files.create(path("a"));
  assert.equal(first.write(bytes(6)), 6);
  assert.equal(first.write(bytes(6)), 4);
  assert.throws(() => first.write(bytes(1)), { code: "ENOSPC" });
  assert.equal(first.write(bytes(0)), 0);
  first.close();
  assert.equal(Deno.statSync(path("a")).size, 10);
  disk.files.rename(path("a"), path("b"));
  assert.equal(disk.used, 10);
  disk.files.remove(path("b"));
  const second = disk.files.create(path("b"));
  assert.equal(second.write(bytes(11)), 10);
  second.close();
});

Deno.test("a run on a disk that is full at any byte is closed by recovery", async () => {
  const needed = await baselineBytes();
  const sizes = seededSample(needed, 60, 20_260_301);
  const counts = await sweepFullDisks([0, ...sizes, needed - 1, needed]);
  printCounts("disks of seeded sizes", counts);
  const whole =
    "success; ended itself: finish_accepted, evaluation performed, version 2, tail clean";
  assert.equal(counts.get(whole), 1, "The one that has all the room");
});
