// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task bench [ROUNDS]`: what the README claims about speed, measured here
// and now. Alternatives take turns in the same run, so that a ratio holds where
// the machine's speed drifts.

import { conductLabRun } from "../lib/cli/lab_run.ts";
import { labManifest } from "../lib/cli/lab_manifest.ts";
import { RUN_COVERS } from "../lib/cli/run_covers.ts";
import { ACTION_SCHEMA } from "../lib/lab/contract/action_schema.ts";
import { admitProposal } from "../lib/lab/contract/admit_proposal.ts";
import { admitExpression } from "../lib/lab/expression/admit_expression.ts";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import { scriptedSource } from "../lib/source/scripted_source.ts";
import { DeadlineGate } from "../lib/supervisor/deadline_gate.ts";
import { StopWordCell } from "../lib/supervisor/stop_word_cell.ts";
import type { MonotonicMs } from "../lib/agent/gate.ts";
import { threadClock } from "../lib/system/clock.ts";
import { diskFiles, type Files } from "../lib/system/files.ts";
import { median, ms, ratio, row, spread, thousands } from "./bench_figures.ts";
import { verification } from "./bench_verify.ts";
import { ROOT } from "./generated.ts";

const rounds = Number(Deno.args[0] ?? 15);
const launcher = new URL("tasks/tinycoder", ROOT).pathname;
const folder = await Deno.makeTempDir({ prefix: "tinycoder-bench-" });
const path = `${Deno.execPath().replace(/\/[^/]*$/, "")}:${
  Deno.env.get("PATH")
}`;

// The interpreter itself: a version manager's wrapper would be timed with it.
const python = new TextDecoder().decode(
  (await new Deno.Command("python3", {
    args: ["-c", "import sys; print(sys.executable)"],
  }).output()).stdout,
).trim();

/** Reads the same lines and only parses: no rule of the lab is applied. */
const PYTHON_AST = `
import ast, json, sys
for line in sys.stdin:
    try:
        tree = ast.parse(json.loads(line)["expr"], mode="eval")
        nodes = sum(1 for _ in ast.walk(tree.body))
        print(json.dumps({"ok": True, "nodes": nodes}))
    except SyntaxError:
        print(json.dumps({"ok": False}))
`;

try {
  await coldRun();
  await expressions();
  proposals();
  console.log("");
  await verification(
    { folder, rounds, time: (...args) => time(launcher, args) },
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** A baseline, from process start to exit, and what its time is made of. */
async function coldRun(): Promise<void> {
  const wall: number[] = [];
  const startUp: number[] = [];
  const bares: number[] = [];
  const version: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const run = `run${round}`;
    const took = await time(launcher, ["--run", run, "--quiet"]);
    const bare = await time(python, ["-c", "pass"]);
    const idle = await time(launcher, ["--version"]);
    if (round === 0) continue; // a warm-up
    wall.push(took);
    bares.push(bare);
    version.push(idle);
    const audit = await Deno.readTextFile(`${folder}/${run}/audit.jsonl`);
    const first = JSON.parse(audit.slice(0, audit.indexOf("\n")));
    startUp.push(first.monotonic_ms);
  }
  const { flushMs, flushes, workMs } = await insideRun();
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
async function insideRun(): Promise<
  { flushMs: number; flushes: number; workMs: number }
> {
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

/** Expressions: admissions a second, and whole streams against Python. */
async function expressions(): Promise<void> {
  const texts = [
    "lo if x < lo else hi if x > hi else x",
    "(x + lo) * 2 - hi",
    "x if x >= lo else lo",
    "max(x, lo)",
    "x ** 2",
    "hi if x == 3 else -x",
  ];
  const perSecond = rate((i) => {
    admitExpression("clamp", texts[i % texts.length] ?? "");
  });
  const lines = Array.from(
    { length: 50_000 },
    (_, i) =>
      JSON.stringify({ function: "clamp", expr: texts[i % texts.length] }),
  );
  await Deno.writeTextFile(`${folder}/lines`, `${lines.join("\n")}\n`);
  const ours: number[] = [];
  const pythons: number[] = [];
  for (let round = 0; round < 3; round++) {
    ours.push(await time(launcher, ["check"], `${folder}/lines`));
    pythons.push(
      await time(python, ["-c", PYTHON_AST], `${folder}/lines`),
    );
  }
  console.log("\nExpressions");
  row("admitted in this process", `${thousands(perSecond)}/s`, "");
  row("50,000 lines, tinycoder check", ms(median(ours)), spread(ours));
  row(
    "50,000 lines, Python's ast alone",
    ms(median(pythons)),
    ratio(ours, pythons),
  );
}

/** Proposals: the boundary against JSON.parse and the same zod union. */
function proposals(): void {
  const encoder = new TextEncoder();
  const bytes = baseline.map((text) => encoder.encode(text));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const ours: number[] = [];
  const naive: number[] = [];
  for (let round = 0; round < 5; round++) {
    ours.push(rate((i) => {
      admitProposal(bytes[i % bytes.length] ?? new Uint8Array());
    }));
    naive.push(rate((i) => {
      const text = decoder.decode(bytes[i % bytes.length]);
      ACTION_SCHEMA.safeParse(JSON.parse(text));
    }));
  }
  console.log("\nProposals");
  row("validated in this process", `${thousands(median(ours))}/s`, "");
  row(
    "JSON.parse and zod alone",
    `${thousands(median(naive))}/s`,
    ratio(ours, naive),
  );
}

/** Wall time of a command, in milliseconds. */
async function time(
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

/** Calls a second, over half a second. */
function rate(call: (i: number) => void): number {
  for (let i = 0; i < 2_000; i++) call(i);
  const before = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < 500) {
    for (let i = 0; i < 1_000; i++) call(i);
    calls += 1_000;
    elapsed = performance.now() - before;
  }
  return calls / elapsed * 1_000;
}
