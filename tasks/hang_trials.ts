// deno-lint-ignore-file no-console -- a task speaks on the console
// Trials of the real program, with its own rights and deadlines, whose engine
// never comes back from load, prefill and decode, or from the stages that are
// named. Loading ends with the run's ten minutes, a call after two; the trials run
// at the same time. Each must stop by its deadline, leave evidence that verifies,
// and be gone within two seconds. Exits with 1 if one isn't.
//
// usage: deno run -A tasks/hang_trials.ts [STAGE …]
//
// Only lib/model/network.ts is replaced, by tests/model_hanging_network.ts.

import config from "../deno.json" with { type: "json" };
import type { JsonObject } from "../lib/agent/json.ts";
import { CALL_MS, RUN_MS } from "../lib/supervisor/deadline_gate.ts";
import { permissionFlags } from "../lib/system/permissions.ts";
import { tinycoder } from "../tests/launched.ts";
import { HANGING_STAGES } from "../tests/model_hanging_network.ts";
import { ROOT } from "./generated.ts";
import { TaskUsage } from "./usage.ts";

type Stage = typeof HANGING_STAGES[number];

/** What a hanging trial left. */
interface HungTrial {
  readonly stage: Stage;
  readonly code: number;
  /** Standard error: nothing but what was agreed to. */
  readonly err: string;
  readonly final: JsonObject;
  /** From the deadline, or a little before it, to the process's end; in ms. */
  readonly lateMs: number;
  readonly verified: boolean;
  readonly records: number;
}

/** Most time from a deadline to the process's end, in milliseconds. */
const MOST_LATE_MS = 2_000;

/** Conducts one trial in `folder` and waits for its end. */
async function hangingTrial(
  folder: string,
  importMap: string,
  stage: Stage,
): Promise<HungTrial> {
  const model = `hang-${stage}`;
  const run = `run-${stage}`;
  await copyTinyCheckpoint(`${folder}/${model}`);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--no-remote"],
      ...["--config", new URL("deno.json", ROOT).pathname],
      ...["--node-modules-dir=manual", `--import-map=${importMap}`],
      ...permissionFlags(
        ["lib", "worker", "fixtures", "tests", "node_modules"].map((part) =>
          new URL(part, ROOT).pathname
        ),
      ),
      new URL("main.ts", ROOT).pathname,
      ...["--run", run, "--model-directory", model],
      ...["--checkpoint", "tiny.json", "--extension", `a hang in ${stage}`],
      ...["--yes", "--quiet"],
    ],
    cwd: folder,
    env: { DENO_NO_UPDATE_CHECK: "1", RUST_BACKTRACE: "0" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  const endedAt = Date.now();
  const err = new TextDecoder().decode(stderr);
  if (code !== 0) throw new Error(`The trial ended with ${code}: ${err}`);
  const read = (name: string) => Deno.readTextFile(`${folder}/${run}/${name}`);
  const records: JsonObject[] = (await read("audit.jsonl")).trimEnd()
    .split("\n").map((line) => JSON.parse(line));
  const { code: verified } = await tinycoder(folder, ["verify", run]);
  // Both are a little before the deadline's clock begins to run.
  const { birthtime } = await Deno.stat(`${folder}/${run}`);
  const asked = records.findLast(({ event }) => event === "request_assembled");
  const deadline = stage === "load"
    ? Number(birthtime) + RUN_MS
    : Date.parse(String(asked?.["wall_time"])) + CALL_MS;
  return {
    stage,
    code,
    err,
    final: JSON.parse(await read("final.json")),
    lateMs: endedAt - deadline,
    verified: verified === 0,
    records: records.length,
  };
}

async function copyTinyCheckpoint(target: string): Promise<void> {
  const from = new URL("fixtures/checkpoint/tiny-qwen2/", ROOT);
  await Deno.mkdir(target);
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(new URL(name, from), `${target}/${name}`);
  }
}

/** What isn't as it must be. */
function faults(trial: HungTrial): string[] {
  const { stage, code, err, final, lateMs, verified } = trial;
  const found = {
    code,
    // An engine that is left while it computes must not raise an alarm.
    last_words: err.trimEnd().split("\n").at(-1),
    stop_reason: final["stop_reason"],
    detail: final["detail"],
    verified_success: final["verified_success"],
    final_evaluation: final["final_evaluation"],
    verified,
  };
  const expected: typeof found = {
    code: 0,
    last_words: "Agreed to by --yes.",
    stop_reason: "time_limit",
    detail: stage === "load" ? "run_expired" : "call_expired",
    verified_success: false,
    final_evaluation: stage === "load" ? "deadline" : "performed",
    verified: true,
  };
  const names = Object.keys(expected) as (keyof typeof expected)[];
  return [
    ...names.filter((name) => found[name] !== expected[name])
      .map((name) => `${name} is ${found[name]}, not ${expected[name]}`),
    ...lateMs < MOST_LATE_MS ? [] : [`${lateMs} ms late`],
    ...lateMs > 0 ? [] : [`${-lateMs} ms before its deadline`],
  ];
}

const usage = new TaskUsage(import.meta.url);
const named = usage.operands(0, HANGING_STAGES.length)
  .map((typed) => usage.oneOf("STAGE", typed, HANGING_STAGES));
const stages = HANGING_STAGES.filter((stage) =>
  named.length === 0 || named.includes(stage)
);
const folder = await Deno.realPath(
  await Deno.makeTempDir({ prefix: "tinycoder-hang-" }),
);
try {
  await Deno.copyFile(
    new URL("fixtures/checkpoint/tiny-qwen2.json", ROOT),
    `${folder}/tiny.json`,
  );
  const importMap = `${folder}/imports.json`;
  const module = (path: string) => new URL(path, ROOT).href;
  await Deno.writeTextFile(
    importMap,
    JSON.stringify({
      imports: {
        ...config.imports,
        [module("lib/model/network.ts")]: module(
          "tests/model_hanging_network.ts",
        ),
      },
    }),
  );
  const trials = await Promise.all(
    stages.map((stage) => hangingTrial(folder, importMap, stage)),
  );
  const row = (...cells: readonly unknown[]) =>
    console.log(
      cells.map((cell) => String(cell).padEnd(14)).join("").trimEnd(),
    );
  row("hang in", "stop", "detail", "evaluation", "records", "ms late", "exit");
  for (const { stage, final, records, lateMs, code } of trials) {
    const { stop_reason, detail, final_evaluation } = final;
    row(stage, stop_reason, detail, final_evaluation, records, lateMs, code);
  }
  for (const trial of trials) {
    for (const fault of faults(trial)) {
      console.log(`${trial.stage}: ${fault}`);
      Deno.exitCode = 1;
    }
  }
  const loads = Deno.loadavg().map((load) => load.toFixed(2));
  console.log(`load of the machine at the end ${loads.join(" ")}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
