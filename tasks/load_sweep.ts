// deno-lint-ignore-file no-console -- a task speaks on the console
// RUNS baselines at once, then as many that may open few files each, then trials
// with less memory than they need. Every one completes and verifies, or is refused
// in one sentence.
//
// usage: deno run -A tasks/load_sweep.ts [RUNS] [OPEN_FILES] [TRIALS]

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../tests/baseline_in_process.ts";
import { assertClosed } from "../tests/closed_run.ts";
import {
  assertOneError,
  launch,
  type Left,
  leftBy,
  tinycoder,
} from "../tests/launched.ts";
import { MemoryGroup } from "./sweep/memory_group.ts";
import { Outcomes } from "./sweep/outcomes.ts";
import type { RandomNumbers } from "./sweep/random_numbers.ts";
import { sweep, type Swept, tellSwept } from "./sweep/sweep.ts";
import { TrialStage } from "./sweep/trial_stage.ts";
import { versionsIn } from "./sweep/whole_run.ts";
import { TaskUsage } from "./usage.ts";

/** A run under load, after its program ended. */
interface LoadedRun {
  readonly cwd: string;
  /** Name of its folder. */
  readonly run: string;
  readonly left: Left;
  readonly versions: readonly string[];
}

/**
 * Conducts baselines at once, in one current folder.
 *
 * @param openFiles How many files each of them may have open; null for as many
 *   as this process.
 * @throws {assert.AssertionError} where one neither completed nor was refused.
 */
export async function loadSweep(
  runs: number,
  openFiles: number | null,
): Promise<Outcomes> {
  using folder = freshFolder();
  const cwd = folder.path;
  const words = (run: string) => ["--run", run, "--quiet", "--json"];
  assert.equal((await tinycoder(cwd, words("reference"))).code, 0);
  const versions = versionsIn(`${cwd}/reference`);
  const within = openFiles === null
    ? []
    : ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh"];
  const names = Array.from({ length: runs }, (_, number) => `run${number}`);
  const all = await Promise.all(names.map(async (run) => ({
    cwd,
    run,
    versions,
    left: await tinycoder(cwd, words(run), { within }),
  })));
  const outcomes = new Outcomes();
  for (const run of all) outcomes.add(await judge(run));
  return outcomes;
}

/** Names what became of a run, and closes it where it didn't end. */
async function judge(run: LoadedRun): Promise<string> {
  const { cwd, left, versions } = run;
  const folder = `${cwd}/${run.run}`;
  if (left.code === 0) {
    const closed = await assertClosed(folder, versions);
    assert.equal(closed.stop, "finish_accepted");
    assert.equal(JSON.parse(left.out)["verified_success"], true);
    return "complete, verified";
  }
  if (left.code === KILLED) {
    return `killed by the kernel, ${await close(run)}`;
  }
  assertOneError(afterYes(left), left.code);
  assert.ok([3, 5].includes(left.code), left.err);
  return `refused in one sentence, ${await close(run)}`;
}

/** Exit code that stands for SIGKILL. */
const KILLED = 128 + 9;

/** What a trial was agreed to comes before whatever becomes of it. */
function afterYes(left: Left): Left {
  const [, err = left.err] = left.err.split("Agreed to by --yes.\n\n");
  return { ...left, err };
}

async function close(run: LoadedRun): Promise<string> {
  const { cwd, versions } = run;
  const folder = `${cwd}/${run.run}`;
  if (!fs.existsSync(folder)) return "nothing was made";
  const left = await tinycoder(cwd, ["recover", run.run, "--json"]);
  if (!fs.existsSync(`${folder}/manifest.json`)) {
    assertOneError(left, 4, "nothing was edited");
    return "nothing was edited";
  }
  assert.equal(left.code, 0, left.err);
  const closed = await assertClosed(folder, versions);
  const verified = await tinycoder(cwd, ["verify", run.run]);
  assert.equal(verified.code, 0, verified.out + verified.err);
  return `${closed.recovered ? "recovered" : "complete"}, verified`;
}

/** A trial's first limits, below what it says that it needs, in megabytes. */
const REFUSED_MB = [64, 128, 200, 290];

/**
 * Conducts trials with less memory than they need: first under a limit that is
 * there when they begin, then under one that falls while they run.
 *
 * @param count How many trials of the second kind.
 */
async function memorySweep(
  group: MemoryGroup,
  count: number,
  seed: number,
): Promise<Swept> {
  using folder = freshFolder();
  const stage = new TrialStage(folder.path);
  const cwd = stage.path;
  const words = (run: string) => [...stage.words(run), "--quiet", "--json"];
  const reference = await tinycoder(cwd, words("reference"));
  assert.equal(reference.code, 0, reference.err);
  const versions = versionsIn(`${cwd}/reference`);
  return await sweep(count, seed, async ({ number, random }) => {
    const run = `trial${number}`;
    const atStart = REFUSED_MB[number - 1];
    assert.ok(group.limit(atStart === undefined ? 2 ** 32 : atStart * 1e6));
    const child = launch(cwd, words(run), { within: group.within });
    const output = leftBy(child);
    if (atStart === undefined) {
      await tighten(group, `${cwd}/${run}`, output, random);
    }
    const left = await output;
    stage.assertEngine(false);
    stage.assertModel();
    const outcome = await judge({ cwd, run, left, versions });
    return atStart === undefined
      ? `a limit that falls: ${outcome}`
      : `${atStart} MB: ${outcome}`;
  });
}

/** From this to as much again, in bytes, a limit falls. */
const FALLEN = 40e6;
/** Longest time from a run's beginning to the fall, in milliseconds. */
const FALL_MS = 400;

/** Takes the group's memory away, at some time after the run began. */
async function tighten(
  group: MemoryGroup,
  run: string,
  output: Promise<unknown>,
  random: RandomNumbers,
): Promise<void> {
  let ended = false;
  output.then(() => ended = true);
  const pause = (ms: number) => new Promise((go) => setTimeout(go, ms));
  while (!ended && !fs.existsSync(`${run}/audit.jsonl`)) await pause(2);
  await pause(random.next() * FALL_MS);
  // The first version of control groups takes no limit that it can't keep.
  let bytes = FALLEN + random.below(FALLEN);
  while (!ended && !group.limit(bytes)) {
    bytes += 4e6;
    await pause(0);
  }
}

if (import.meta.main) {
  const usage = new TaskUsage(import.meta.url);
  const [typedRuns, typedOpenFiles, typedTrials] = usage.operands(0, 3);
  const runs = usage.whole("RUNS", typedRuns, 100);
  const openFiles = usage.whole("OPEN_FILES", typedOpenFiles, 64);
  const trials = usage.whole("TRIALS", typedTrials, 20);
  for (const limit of [null, openFiles]) {
    tellSwept(
      `${runs} runs at once` +
        (limit === null ? "" : `, each with ${limit} open files allowed`),
      { outcomes: await loadSweep(runs, limit), faults: [] },
    );
  }
  using group = MemoryGroup.make();
  if (group === null) {
    console.log("No control group can be made here: memory was not limited");
  } else {
    const title = `${trials} trials with less memory than they need`;
    tellSwept(title, await memorySweep(group, trials, 1));
  }
}
