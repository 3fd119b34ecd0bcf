// deno-lint-ignore-file no-console -- a task speaks on the console
// What the README claims about the harness's speed, measured here and now.
// Alternatives take turns in the same run, so that a ratio holds where the
// machine's speed drifts.

import { conductLabRun } from "../../lib/cli/lab_run.ts";
import { labManifest } from "../../lib/cli/lab_manifest.ts";
import { RUN_COVERS } from "../../lib/cli/run_covers.ts";
import baseline from "../../fixtures/baseline.json" with { type: "json" };
import { scriptedSource } from "../../lib/source/scripted_source.ts";
import { DeadlineGate } from "../../lib/supervisor/deadline_gate.ts";
import { StopWordCell } from "../../lib/supervisor/stop_word_cell.ts";
import type { MonotonicMs } from "../../lib/agent/gate.ts";
import { threadClock } from "../../lib/system/clock.ts";
import { diskFiles, type Files } from "../../lib/system/files.ts";
import { median, ms, ratio, row, spread } from "./figures.ts";
import { expressions, proposals, PYTHON_AST } from "./boundary.ts";
import { verification } from "./verify.ts";
import { ROOT } from "../generated.ts";

const launcher = new URL("tasks/tinycoder", ROOT).pathname;
const path = `${Deno.execPath().replace(/\/[^/]*$/, "")}:${
  Deno.env.get("PATH")
}`;

/** Where and how often to measure, and against which Python. */
interface HarnessBench {
  /** A fresh folder's real path. */
  readonly folder: string;
  readonly rounds: number;
  /** Path of the interpreter itself. */
  readonly python: string;
}

/** Measures the harness `rounds` times, and prints. */
export async function benchHarness(rounds: number): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tinycoder-bench-" });
  try {
    const python = await interpreter();
    await coldRun({ folder, rounds, python });
    await expressions({
      folder,
      ours: (lines) => time(folder, launcher, ["check"], lines),
      theirs: (lines) => time(folder, python, ["-c", PYTHON_AST], lines),
    });
    proposals();
    console.log("");
    await verification(
      { folder, rounds, time: (...args) => time(folder, launcher, args) },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Python's own path: a version manager's wrapper would be timed with it. */
async function interpreter(): Promise<string> {
  const { stdout } = await new Deno.Command("python3", {
    args: ["-c", "import sys; print(sys.executable)"],
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** A baseline, from process start to exit, and what its time is made of. */
async function coldRun(
  { folder, rounds, python }: HarnessBench,
): Promise<void> {
  const wall: number[] = [];
  const startUp: number[] = [];
  const bares: number[] = [];
  const version: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const run = `run${round}`;
    const took = await time(folder, launcher, ["--run", run, "--quiet"]);
    const bare = await time(folder, python, ["-c", "pass"]);
    const idle = await time(folder, launcher, ["--version"]);
    if (round === 0) continue; // a warm-up
    wall.push(took);
    bares.push(bare);
    version.push(idle);
    const audit = await Deno.readTextFile(`${folder}/${run}/audit.jsonl`);
    const first = JSON.parse(audit.slice(0, audit.indexOf("\n")));
    startUp.push(first.monotonic_ms);
  }
  const { flushMs, flushes, workMs } = await insideRun(
    folder,
    rounds,
  );
  console.log(`Cold baseline run, process start to exit (${rounds} runs)`);
  row("the whole run", ms(median(wall)), spread(wall));
  row("  until the first record", ms(median(startUp)), "start-up");
  row("  flushes to the device", ms(flushMs), `${flushes} of them`);
  row("  loop, tests, files", ms(workMs), "in a warm process");
  row(
    "  cold code and exit",
    ms(median(wall) - median(startUp) - flushMs - workMs),
    "the rest",
  );
  row("tinycoder --version", ms(median(version)), ratio(wall, version));
  row("python3 -c pass", ms(median(bares)), ratio(wall, bares));
}

/** The same run inside this process, with its flushes timed. */
async function insideRun(
  folder: string,
  rounds: number,
): Promise<{ flushMs: number; flushes: number; workMs: number }> {
  const flush: number[] = [];
  const work: number[] = [];
  let flushes = 0;
  for (let round = 0; round <= rounds; round++) {
    let spent = 0;
    let count = 0;
    const timed = (act: () => void) => {
      const before = performance.now();
      act();
      spent += performance.now() - before;
      count++;
    };
    const files: Files = {
      ...diskFiles,
      syncFolder: (path) => timed(() => diskFiles.syncFolder(path)),
      create: (path) => {
        const file = diskFiles.create(path);
        return { ...file, sync: () => timed(() => file.sync()) };
      },
    };
    const run = `${folder}/inside${round}`;
    Deno.mkdirSync(run);
    const before = performance.now();
    await conductInside(files, run);
    if (round === 0) continue;
    flush.push(spent);
    work.push(performance.now() - before - spent);
    flushes = count;
  }
  return { flushMs: median(flush), flushes, workMs: median(work) };
}

function conductInside(files: Files, run: string): Promise<unknown> {
  const clock = threadClock();
  const limits = { runMs: 600_000, callMs: 120_000 };
  const runDeadline = (clock.now() + limits.runMs) as MonotonicMs;
  return conductLabRun({
    files,
    folder: run,
    manifest: labManifest({
      source: "scripted",
      coreTrial: false,
      extension: null,
      authority: { opt_in: "command", covers: RUN_COVERS },
      runtime: {},
      model: null,
    }, {
      runId: crypto.randomUUID(),
      created: clock.wallTime(),
      enforced: {},
      ...limits,
    }),
    source: scriptedSource(baseline),
    gate: new DeadlineGate(new StopWordCell(), clock, {
      runDeadline,
      callMs: limits.callMs,
    }),
    clock,
  });
}

/** Wall time of a command, in milliseconds. */
async function time(
  folder: string,
  command: string,
  args: string[],
  stdin?: string,
): Promise<number> {
  const before = performance.now();
  const child = new Deno.Command(command, {
    args,
    cwd: folder,
    env: { PATH: path, RUST_BACKTRACE: "0" },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const [, { success }] = await Promise.all([
    stdin === undefined
      ? undefined
      : (await Deno.open(stdin)).readable.pipeTo(child.stdin),
    child.output(),
  ]);
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return performance.now() - before;
}
