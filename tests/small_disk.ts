// The real program on a real small disk: a tmpfs of its own, which is given more
// room once it is full.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { assertClosed, contentsOf } from "./closed_run.ts";
import {
  assertOneError,
  launch,
  type Left,
  leftBy,
  OWN_MOUNTS,
} from "./launched.ts";

/** Runs and recovers on a small disk, then on the same one with more room. */
const ON_A_SMALL_DISK = `set -eu
mount -t tmpfs -o "size=$2,nr_inodes=$3" tmpfs "$1/disk"
cd "$1/disk"
step() {
  name=$1; shift; code=0
  "$launcher" "$@" >"../$name.out" 2>"../$name.err" || code=$?
  echo "$code" >"../$name.code"
  cp -R . "../$name"
}
launcher=$4
step run --run run --quiet
step full recover run --json
mount -o "remount,size=1m,nr_inodes=100" "$1/disk"
step room recover run --json
step again recover run --json
`;

/**
 * Conducts a baseline on a small disk, recovers it there, and again with room.
 *
 * @param folder A folder to work in.
 * @param size What the disk holds, as mount(8) takes it.
 * @param files How many files and folders fit.
 * @param versions The source's bytes by version, as a whole run makes them.
 * @returns The outcome in a few words.
 */
export async function runOnSmallDisk(
  folder: string,
  size: string,
  files: number,
  versions: readonly string[],
): Promise<string> {
  fs.mkdirSync(`${folder}/disk`);
  const disk = [folder, size, String(files)];
  const script = await leftBy(launch(folder, [], {
    within: [...OWN_MOUNTS, "sh", "-c", ON_A_SMALL_DISK, "sh", ...disk],
  }));
  assert.equal(script.code, 0, script.err);
  const step = (name: string): Left => {
    const text = (part: string) =>
      fs.readFileSync(`${folder}/${name}.${part}`, "utf8");
    return { code: Number(text("code")), out: text("out"), err: text("err") };
  };
  const contents = (name: string) => {
    const path = `${folder}/${name}/run`;
    return fs.existsSync(path) ? contentsOf(path) : null;
  };
  const run = contents("run");
  if (run === null) {
    assertOneError(step("run"), 3, "the disk is full");
    return "refused: no folder";
  }
  const sealed = Object.hasOwn(run, "manifest.json");
  if (step("run").code !== 0) {
    assertOneError(step("run"), 5, 'run in "run"', "the disk is full");
    assertOneError(step("full"), sealed ? 5 : 4, 'recover the run "run"');
  }
  if (!sealed) {
    assertOneError(step("room"), 4, 'recover the run "run"');
    return "refused: no manifest";
  }
  assert.equal(step("room").code, 0, step("room").err);
  assert.equal(contents("room")?.["audit.jsonl"], run["audit.jsonl"]);
  const closed = await assertClosed(`${folder}/room/run`, versions);
  assert.equal(closed.recovered, step("run").code !== 0);
  assert.equal(step("again").code, 0);
  assert.deepEqual(contents("again"), contents("room"));
  const { recovered, stop, evaluation, version, tail } = closed;
  return `${
    recovered ? "refused, then recovered" : "ended itself"
  }: ${stop}, ` +
    `evaluation ${evaluation}, version ${version}, tail ${tail}`;
}
