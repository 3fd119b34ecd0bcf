// Kills the real program at random instants of real runs, recovers, checks what is
// left, and counts the outcomes. TRIALS of the COUNT runs are trials of a small
// network.
//
// usage: deno run -A tasks/kill_sweep.ts [COUNT] [SEED] [TRIALS]

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../tests/baseline_in_process.ts";
import { assertClosed, contentsOf } from "../tests/closed_run.ts";
import { assertOneError, launch, tinycoder } from "../tests/launched.ts";
import {
  killAtRandom,
  type Killed,
  measureSpans,
  type Spans,
  type Victim,
} from "./sweep/killed_program.ts";
import type { RandomNumbers } from "./sweep/random_numbers.ts";
import { type Round, sweep, type Swept, tellSwept } from "./sweep/sweep.ts";
import { TrialStage } from "./sweep/trial_stage.ts";
import { baseline, wholeBaseline } from "./sweep/whole_run.ts";
import { TaskUsage } from "./usage.ts";

/** What is killed. */
export interface KillSweep {
  /** How many runs are killed, in all. */
  readonly count: number;
  /** How many of them are trials. */
  readonly trials: number;
  /** Makes the choice of instants repeatable. */
  readonly seed: number;
}

/**
 * Kills runs, each at a random instant: one that had ended before is conducted
 * again.
 *
 * @throws {assert.AssertionError} if an undisturbed run isn't as it should be.
 */
export async function killSweep(
  { count, trials, seed }: KillSweep,
): Promise<Swept> {
  const { spans, versions } = await wholeBaseline();
  const trial = trials === 0 ? null : await beginTrials(versions);

  const swept = await sweep(count, seed, async (round) => {
    const { number, folder, random } = round;
    // Spread evenly over the sweep.
    const trialsBy = (number: number) => Math.floor(number * trials / count);
    const isTrial = trialsBy(number) > trialsBy(number - 1);
    const killed = isTrial && trial !== null
      ? await trial.kill(round)
      : await untilKilled(baseline(folder), spans, random);
    const outcome = await recoverAndCheck(folder, versions, random)
      .catch((cause) => {
        throw new Error(`Killed ${killed.when}`, { cause });
      });
    return isTrial
      ? `trial, ${phaseOf(killed)}: ${outcome}`
      : `baseline: ${outcome}`;
  });
  await trial?.end();
  return swept;
}

/** Kills a run; one that ended before has ended well, and is begun again. */
async function untilKilled(
  victim: Victim,
  spans: Spans,
  random: RandomNumbers,
): Promise<Killed> {
  for (;;) {
    const killed = await killAtRandom(victim, spans, random);
    if (killed.died) return killed;
    assert.equal(killed.code, 0, killed.err);
    fs.rmSync(`${victim.cwd}/${victim.run}`, { recursive: true });
  }
}

/** How many trials there are for one that begins without an engine. */
const TRIALS_PER_ENGINE = 8;

/** Prepares the one folder in which all trials are conducted. */
async function beginTrials(versions: readonly string[]): Promise<{
  kill(round: Round): Promise<Killed>;
  end(): Promise<void>;
}> {
  const folder = freshFolder();
  const stage = new TrialStage(folder.path);
  const victim: Victim = {
    cwd: stage.path,
    args: stage.words("trial"),
    run: "trial",
  };
  const whole = async (): Promise<Spans> => {
    const spans = await measureSpans(victim);
    stage.assertEngine(true);
    const closed = await assertClosed(`${stage.path}/trial`, versions);
    assert.equal(closed.stop, "finish_accepted");
    fs.rmSync(`${stage.path}/trial`, { recursive: true });
    return spans;
  };
  await whole();
  const spans = await whole();
  return {
    kill: async ({ folder, random }) => {
      if (random.below(TRIALS_PER_ENGINE) === 0) stage.removeEngine();
      const killed = await untilKilled(victim, spans, random);
      stage.assertEngine(false);
      stage.assertModel();
      // Recovery needs neither model nor engine.
      const left = `${stage.path}/trial`;
      if (fs.existsSync(left)) fs.renameSync(left, `${folder}/run`);
      return killed;
    },
    end: async () => {
      await whole();
      stage.assertModel();
      folder[Symbol.dispose]();
    },
  };
}

/** What a killed trial was doing, by the last of its progress. */
function phaseOf({ err }: Killed): string {
  const said = err.trimEnd().split("\n").at(-1) ?? "";
  const [, loading, calling] = /^ +(?:loading: (\w+)|(reading|writing):)/
    .exec(said) ?? [];
  if (loading !== undefined) return `loading (${loading})`;
  if (calling !== undefined) {
    return calling === "reading" ? "reading its request" : "generating";
  }
  return /^ +[\d.]+ s/.test(said) ? "between calls" : "before loading";
}

/** How many recoveries there are for one that is killed or repeated as well. */
const RECOVERIES_PER_KILL = 4;
/** Longest that such a recovery is let work, in milliseconds. */
const RECOVERY_MS = 200;

async function recoverAndCheck(
  cwd: string,
  versions: readonly string[],
  random: RandomNumbers,
): Promise<string> {
  const recover = () => tinycoder(cwd, ["recover", "run", "--json"]);
  const before = contentsOf(cwd);
  if (!Object.hasOwn(before, "run")) {
    assertOneError(await recover(), 3, 'Cannot open the run "run"');
    return "before its folder, nothing was made";
  }
  if (
    !["manifest.json", "audit.jsonl"].some((name) =>
      Object.hasOwn(before, `run/${name}`)
    )
  ) {
    assertOneError(await recover(), 3, "it is no run's folder");
    assert.deepEqual(contentsOf(cwd), before);
    return "before its audit, nothing was edited";
  }
  if (!Object.hasOwn(before, "run/manifest.json")) {
    assertOneError(
      await recover(),
      4,
      'Cannot recover the run "run"',
      "nothing was edited",
    );
    assert.deepEqual(contentsOf(cwd), before);
    return "before its manifest, nothing was edited";
  }
  const twice = random.below(RECOVERIES_PER_KILL) === 0 &&
    await killRecovery(cwd, random.next() * RECOVERY_MS);
  const { code, err } = await recover();
  assert.equal(code, 0, err);
  const after = contentsOf(cwd);
  assert.equal(after["run/audit.jsonl"], before["run/audit.jsonl"]);
  const closed = await assertClosed(`${cwd}/run`, versions);
  if (random.below(RECOVERIES_PER_KILL) === 0) {
    assert.equal((await recover()).code, 0);
    assert.deepEqual(contentsOf(cwd), after);
  }
  const { recovered, stop, evaluation, version, tail } = closed;
  if (!recovered) return "after its final report";
  return `recovered${
    twice ? " at the second attempt" : ""
  }: ${stop}, ${evaluation}, version ${version}, tail ${tail}`;
}

/** Kills a recovery; whether it died of it. */
async function killRecovery(cwd: string, afterMs: number): Promise<boolean> {
  const child = launch(cwd, ["recover", "run", "--json"]);
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  const { signal } = await child.output();
  clearTimeout(timer);
  return signal === "SIGKILL";
}

if (import.meta.main) {
  const usage = new TaskUsage(import.meta.url);
  const [typedCount, typedSeed, typedTrials] = usage.operands(0, 3);
  const count = usage.whole("COUNT", typedCount, 200);
  const seed = usage.whole("SEED", typedSeed, 1, 0);
  const trials = usage.whole("TRIALS", typedTrials, Math.ceil(count / 10), 0);
  if (trials > count) usage.refuse("TRIALS are a part of the COUNT runs");
  const swept = await killSweep({ count, trials, seed });
  const { total } = swept.outcomes;
  const ofTrials = swept.outcomes.timesOf("trial");
  tellSwept(
    `${total} of ${count} runs killed at random instants, ${ofTrials} of them ` +
      `trials, seed ${seed}`,
    swept,
  );
}
