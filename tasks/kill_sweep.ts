// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno run -A tasks/kill_sweep.ts [COUNT] [SEED]`: kills the real program at
// random instants of real baselines, recovers, checks what is left, and counts
// the outcomes.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { assertClosed, contentsOf } from "../tests/closed_run.ts";
import { freshFolder } from "../tests/baseline_in_process.ts";
import { assertOneError, launch, tinycoder } from "../tests/launched.ts";

/** From which event on the killer counts its random delay. */
const MARKS = ["start", "run", "run/audit.jsonl", "run/workspace"] as const;

/** How long an undisturbed run goes on after each mark, in milliseconds. */
type Spans = Record<typeof MARKS[number], number>;

/** How often each outcome came, by its description. */
export type Outcomes = Map<string, number>;

/**
 * Kills `count` baselines, each at a random instant.
 *
 * @param seed Makes the choice of instants repeatable.
 * @throws {assert.AssertionError} if a run isn't closed as it should be.
 */
export async function killSweep(
  count: number,
  seed: number,
): Promise<Outcomes> {
  const random = randomNumbers(seed);
  await undisturbed();
  const { spans, versions } = await undisturbed();
  const outcomes: Outcomes = new Map();
  for (let number = 1; number <= count; number++) {
    using folder = freshFolder();
    const mark = MARKS[Math.floor(random() * MARKS.length)] ?? "start";
    const delayMs = random() * spans[mark];
    await runAndKill(folder.path, mark, delayMs);
    try {
      const outcome = await recoverAndCheck(folder.path, versions);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    } catch (error) {
      const kept = `${folder.path}-kept`;
      fs.cpSync(folder.path, kept, { recursive: true });
      const when = `${delayMs.toFixed(2)} ms after ${mark}`;
      throw new Error(`Run ${number}, killed ${when}, is kept in ${kept}`, {
        cause: error,
      });
    }
  }
  return outcomes;
}

async function undisturbed(): Promise<
  { spans: Spans; versions: readonly string[] }
> {
  using folder = freshFolder();
  const child = launch(folder.path, ["--run", "run", "--quiet"]);
  const output = child.output();
  let gone = false;
  output.then(() => gone = true);
  const marks = new Map<string, number>();
  for (const mark of [...MARKS, "run/final.json"]) {
    const path = `${folder.path}/${mark}`;
    while (mark !== "start" && !gone && !fs.existsSync(path)) await eventLoop();
    marks.set(mark, performance.now());
  }
  const { code, stderr } = await output;
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const ended = marks.get("run/final.json") ?? 0;
  const read = (name: string) =>
    fs.readFileSync(`${folder.path}/run/${name}`, "utf8");
  return {
    spans: Object.fromEntries(
      MARKS.map((mark) => [mark, ended - (marks.get(mark) ?? ended)]),
    ) as Spans,
    versions: [
      read("backups/toy_math.py.v0"),
      read("backups/toy_math.py.v1"),
      read("workspace/toy_math.py"),
    ],
  };
}

async function runAndKill(
  cwd: string,
  mark: typeof MARKS[number],
  delayMs: number,
): Promise<void> {
  const child = launch(cwd, ["--run", "run", "--quiet"]);
  const output = child.output();
  let ended = false;
  output.then(() => ended = true);
  while (mark !== "start" && !ended && !fs.existsSync(`${cwd}/${mark}`)) {
    await eventLoop();
  }
  // A timer's millisecond is too coarse: a whole edit takes five.
  const from = performance.now();
  while (!ended && performance.now() - from < delayMs) await eventLoop();
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended already; that is an outcome too.
  }
  await output;
}

function eventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function recoverAndCheck(
  cwd: string,
  versions: readonly string[],
): Promise<string> {
  const recover = () => tinycoder(cwd, ["recover", "run", "--json"]);
  const before = contentsOf(cwd);
  if (!Object.hasOwn(before, "run")) {
    assertOneError(await recover(), 3, 'Cannot open the run "run"');
    return "before its folder";
  }
  if (!Object.hasOwn(before, "run/manifest.json")) {
    assertOneError(await recover(), 4, 'Cannot recover the run "run"');
    assert.deepEqual(contentsOf(cwd), before);
    return "before its manifest";
  }
  const { code, err } = await recover();
  assert.equal(code, 0, err);
  const after = contentsOf(cwd);
  assert.equal(after["run/audit.jsonl"], before["run/audit.jsonl"]);
  const closed = await assertClosed(`${cwd}/run`, versions);
  assert.equal((await recover()).code, 0);
  assert.deepEqual(contentsOf(cwd), after);
  const { recovered, stop, evaluation, version, tail } = closed;
  if (!recovered) return "after its final report";
  return `recovered: ${stop}, ${evaluation}, version ${version}, tail ${tail}`;
}

/** Evenly spread numbers from 0 to 1 (a 32-bit xorshift). */
function randomNumbers(seed: number): () => number {
  let state = (seed >>> 0) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [count = 200, seed = 1] = Deno.args.map(Number);
  const outcomes = await killSweep(count, seed);
  console.log(`${count} baselines killed at random instants, seed ${seed}:`);
  for (const [outcome, times] of [...outcomes].sort()) {
    console.log(`${String(times).padStart(5)}  ${outcome}`);
  }
}
