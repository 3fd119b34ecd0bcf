// deno-lint-ignore-file no-console -- a task speaks on the console
// How long the binary takes from start to exit, against `deno run` of the same and
// against an empty Python program; what that time is made up of; and what the
// binary's size is. All of them take turns, so that a ratio holds where the
// machine's speed drifts.
//
// usage: deno task bench:startup [ROUNDS]

import { permissionFlags } from "../lib/system/permissions.ts";
import { median, ms } from "./bench/figures.ts";
import { buildBinary, type BuiltBinary } from "./build/binary.ts";
import { ROOT_PATH } from "./build/files.ts";
import { ownTarget } from "./build/targets.ts";
import { runtimeBase } from "./build/denort.ts";
import { NotBuilt } from "./build/not_built.ts";
import { end } from "./build/or_end.ts";
import { TaskUsage } from "./usage.ts";

const usage = new TaskUsage(import.meta.url);
const ROUNDS = usage.whole("ROUNDS", usage.operands(0, 1)[0], 15);
const FOLDER = await Deno.makeTempDir({ prefix: "tinycoder-bench-" });
const decoder = new TextDecoder();

/** What is timed; `{run}` becomes a fresh name. */
const SUBJECTS: readonly (readonly string[])[] = [
  ["--version"],
  ["--help"],
  ["plan"],
  ["--run", "{run}", "--quiet"],
];

/** `deno run` of a checkout, as its launcher starts it. */
const DENO_RUN: readonly string[] = [
  Deno.execPath(),
  "run",
  "--quiet",
  "--no-check",
  "--no-remote",
  "--node-modules-dir=manual",
  "--config",
  `${ROOT_PATH}deno.json`,
  ...permissionFlags(
    ["lib", "worker", "fixtures", "node_modules"].map((part) =>
      `${ROOT_PATH}${part}`
    ),
  ),
  `${ROOT_PATH}main.ts`,
];

const [PYTHON, EMPTY] = ["python3 -c pass", "an empty program"];

try {
  for (const name of ["bin", "work"]) Deno.mkdirSync(`${FOLDER}/${name}`);
  const built = await buildBinary(ownTarget(), `${FOLDER}/bin/tinycoder`)
    .catch((error) => {
      if (!(error instanceof NotBuilt)) throw error;
      end(3, error.message);
    });
  const times = await takeTurns(
    new Map<string, readonly string[]>([
      [PYTHON, [await ownPython(), "-c", "pass"]],
      [EMPTY, [await compileEmpty()]],
      ...SUBJECTS.flatMap((words) =>
        [
          [named("binary", words), [built.path, ...words]],
          [named("deno run", words), [...DENO_RUN, ...words]],
        ] as const
      ),
    ]),
  );
  report(times);
  reportSize(built);
} finally {
  await Deno.remove(FOLDER, { recursive: true });
}

function named(how: string, [word = ""]: readonly string[]): string {
  return `${how} ${word}`;
}

/** Where Python itself is: a version manager's wrapper would be timed with it. */
async function ownPython(): Promise<string> {
  const { stdout } = await new Deno.Command("python3", {
    args: ["-c", "import sys; print(sys.executable)"],
  }).output();
  return decoder.decode(stdout).trim();
}

/** An empty program in the same runtime: what no program of ours can be below. */
async function compileEmpty(): Promise<string> {
  const [source, path] = [`${FOLDER}/empty.ts`, `${FOLDER}/bin/empty`];
  Deno.writeTextFileSync(source, "export {};\n");
  const base = runtimeBase(ownTarget());
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["compile", "--quiet", "--no-check", "--no-config", "--no-code-cache"]
      .concat(`--output=${path}`, source),
    env: {
      RUST_BACKTRACE: "0",
      ...(base === null ? {} : { DENORT_BIN: base }),
    },
  }).output();
  if (!success) throw new Error(decoder.decode(stderr));
  return path;
}

/** Wall times of each, in milliseconds; the first round only warms up. */
async function takeTurns(
  commands: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, command] of commands) {
      const took = await time(command, `run${round}_${times.size}_${name}`);
      if (round > 0) times.set(name, [...times.get(name) ?? [], took]);
    }
  }
  return times;
}

async function time(command: readonly string[], run: string): Promise<number> {
  const [program = "", ...args] = command.map((word) =>
    word === "{run}" ? run.replaceAll(/\W/g, "_") : word
  );
  const before = performance.now();
  const { success, stderr } = await new Deno.Command(program, {
    args,
    cwd: `${FOLDER}/work`,
    env: { RUST_BACKTRACE: "0", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  const took = performance.now() - before;
  if (!success) {
    throw new Error(`${command.join(" ")} failed: ${decoder.decode(stderr)}`);
  }
  return took;
}

function report(times: ReadonlyMap<string, readonly number[]>): void {
  const middle = (name: string) => median(times.get(name) ?? []);
  const line = (name: string, ...ratios: readonly string[]) => {
    const all = times.get(name) ?? [];
    console.log(
      `  ${name.padEnd(20)}${ms(middle(name)).padStart(9)}` +
        `   ${ms(Math.min(...all))} to ${ms(Math.max(...all))}`.padEnd(22) +
        ratios.join(""),
    );
  };
  const against = (name: string, other: string) =>
    `${(middle(name) / middle(other)).toFixed(2).padStart(8)} × ${other}`;
  console.log(`Start to exit, medians of ${ROUNDS} rounds in turns`);
  line(PYTHON);
  line(EMPTY, against(EMPTY, PYTHON));
  for (const words of SUBJECTS) {
    const [binary, checkout] = [
      named("binary", words),
      named("deno run", words),
    ];
    line(binary, against(binary, PYTHON), against(binary, checkout));
    line(checkout, against(checkout, PYTHON));
  }
  console.log("\nWhat the binary's times are made up of");
  const [runtime, shortest] = [middle(EMPTY), middle("binary --version")];
  for (const words of SUBJECTS) {
    const name = named("binary", words);
    console.log(
      `  ${name.padEnd(20)}${ms(runtime).padStart(9)} the runtime alone, ` +
        `${ms(shortest - runtime)} tinycoder's command line, ` +
        `${ms(middle(name) - shortest)} the command`,
    );
  }
}

function reportSize({ bytes }: BuiltBinary): void {
  const { whole, engine, packages, runtime } = bytes;
  const rest = whole - engine - packages - (runtime ?? 0);
  const parts = [
    ...(runtime === null ? [] : [`Deno's runtime ${megabytes(runtime)}`]),
    `ONNX Runtime ${megabytes(engine)}`,
    `packages ${megabytes(packages)}`,
    `${runtime === null ? "Deno's runtime and " : ""}own modules ` +
    megabytes(rest),
  ];
  console.log(`\nSize: ${megabytes(whole)}: ${parts.join(", ")}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
