// Another process that changes the files of a run while it goes on: what it can
// do takes effect, what becomes of the run is judged right, and a few real races.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import {
  type AttackKind,
  ATTACKS,
  type AttackWay,
} from "../tasks/sweep/race_attacks.ts";
import { raceSweep } from "../tasks/race_sweep.ts";
import {
  type AttackedRun,
  judgeAttackedRun,
} from "../tasks/sweep/race_verdict.ts";
import { versionsIn } from "../tasks/sweep/whole_run.ts";
import {
  conductBaseline,
  freshFolder,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";

/** What an entry is, to tell whether it was changed. */
function described(folder: string): unknown {
  return [
    contentsOf(folder),
    fs.readdirSync(folder).map((name) => {
      const { nlink, mtimeMs } = fs.lstatSync(`${folder}/${name}`);
      return [name, nlink, mtimeMs];
    }),
  ];
}

for (const kind of Object.keys(ATTACKS) as AttackKind[]) {
  Deno.test(`the attack "${kind}" takes effect, and its undo`, () => {
    using room = freshFolder();
    const [run, aside] = [`${room.path}/run`, `${room.path}/aside`];
    for (const folder of [run, aside]) fs.mkdirSync(folder);
    fs.writeFileSync(`${aside}/canary`, "untouched");
    const way: AttackWay = ATTACKS[kind];
    const path = `${run}/entry`;
    if (!way.creates) fs.writeFileSync(path, "what a run wrote\n");
    const [before, looked] = [contentsOf(run), described(run)];
    const change = way.change(path, aside);
    assert.notDeepEqual(described(run), looked);
    change.undo();
    assert.deepEqual(contentsOf(run), before);
    assert.equal(fs.readFileSync(`${aside}/canary`, "utf8"), "untouched");
  });
}

/** A baseline in the folder `run`, as it looks after an attack. */
async function attackedRun(
  cwd: string,
  changes: Partial<AttackedRun>,
): Promise<AttackedRun> {
  fs.mkdirSync(`${cwd}/run`);
  const report = await conductBaseline(unflushedFiles, `${cwd}/run`);
  return {
    cwd,
    left: { code: 0, out: JSON.stringify(report), err: "" },
    changed: { hits: 1, firstMs: 1, lastMs: Date.now() },
    harmless: false,
    versions: versionsIn(`${cwd}/run`),
    ...changes,
  };
}

Deno.test("judgeAttackedRun() takes a success whose bytes were evaluated", async () => {
  using folder = freshFolder();
  const changed = { hits: 0, firstMs: null, lastMs: null };
  const run = await attackedRun(folder.path, { changed });
  assert.equal(await judgeAttackedRun(run), "success, and verify agrees");
});

Deno.test("judgeAttackedRun() takes a change after the end, if somebody made it", async () => {
  using folder = freshFolder();
  const run = await attackedRun(folder.path, {});
  fs.appendFileSync(`${folder.path}/run/workspace/toy_math.py`, "\n");
  assert.equal(
    await judgeAttackedRun(run),
    "success, and verify finds a change after its end",
  );
  for (const lastMs of [null, 1]) {
    const changed = { hits: 1, firstMs: lastMs, lastMs };
    await assert.rejects(
      judgeAttackedRun({ ...run, changed }),
      /Nobody changed after its end/,
    );
  }
});

Deno.test("judgeAttackedRun() refuses what no run may leave", async () => {
  using folder = freshFolder();
  const run = await attackedRun(folder.path, {});
  const report = JSON.parse(run.left.out);
  const cases: readonly Partial<AttackedRun["left"]>[] = [
    // A success over other bytes than those of the evaluation.
    { out: JSON.stringify({ ...report, sha256: "0".repeat(64) }) },
    // A success that no finish was accepted for.
    { out: JSON.stringify({ ...report, stop_reason: "time_limit" }) },
    // A stack trace beside a good report.
    { err: "Error: no\n    at there (file:///there.ts:1:1)\n" },
    // A fault without a word, and one that nobody declared.
    { code: 5, out: "" },
    { code: 1, out: "", err: "Cannot go on: no.\nTry again.\n" },
  ];
  for (const changed of cases) {
    const left = { ...run.left, ...changed };
    await assert.rejects(
      judgeAttackedRun({ ...run, left }),
      assert.AssertionError,
      JSON.stringify(changed),
    );
  }
});

Deno.test("raceSweep() finds no success over bytes that weren't evaluated", async () => {
  const { outcomes, faults } = await raceSweep(4, 20_260_101);
  assert.deepEqual(faults, []);
  assert.equal(outcomes.total, 4);
});
