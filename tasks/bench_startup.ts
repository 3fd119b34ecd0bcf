// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task bench:startup [ROUNDS]`: how long the binary takes from start to
// exit, against the same from a checkout and against an empty Python program.
// All of them take turns, so that a ratio holds where the machine's speed drifts.

import { COMMANDS } from "../lib/cli/commands.ts";
import { buildBinary } from "./build_binary.ts";
import { ROOT_PATH } from "./build_files.ts";
import { ownTarget } from "./build_targets.ts";

const rounds = Number(Deno.args[0] ?? 15);
const folder = await Deno.makeTempDir({ prefix: "tinycoder-bench-" });
const decoder = new TextDecoder();

/** Where Python itself is: a version manager's wrapper would be timed with it. */
const python = decoder.decode(
  (await new Deno.Command("python3", {
    args: ["-c", "import sys; print(sys.executable)"],
  }).output()).stdout,
).trim();

/** One command line; `{run}` becomes a fresh name. */
interface Timed {
  readonly name: string;
  readonly command: readonly string[];
}

try {
  Deno.mkdirSync(`${folder}/bin`);
  Deno.mkdirSync(`${folder}/work`);
  const { path, bytes } = await buildBinary(
    ownTarget(),
    `${folder}/bin/tinycoder`,
  );
  const launcher = `${ROOT_PATH}tasks/tinycoder`;
  const subjects = [
    ["--help"],
    ["contract"],
    ["plan"],
    ["--run", "{run}", "--quiet"],
  ].filter(([word = ""]) =>
    word.startsWith("-") || COMMANDS.some(({ name }) => name === word)
  );
  const timed: readonly Timed[] = [
    { name: "python3 -c pass", command: [python, "-c", "pass"] },
    ...subjects.flatMap((words) => [
      { name: `binary ${words[0]}`, command: [path, ...words] },
      { name: `checkout ${words[0]}`, command: [launcher, ...words] },
    ]),
  ];
  report(await takeTurns(timed));
  console.log(
    `\nBinary: ${megabytes(bytes.whole)}, of it ONNX Runtime ` +
      `${megabytes(bytes.engine)}, packages ${megabytes(bytes.packages)}` +
      (bytes.runtime === null
        ? ""
        : `, Deno's runtime ${megabytes(bytes.runtime)}`),
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Wall times of each, in milliseconds; the first round only warms up. */
async function takeTurns(
  timed: readonly Timed[],
): Promise<readonly { name: string; times: number[] }[]> {
  const results = timed.map(({ name }) => ({ name, times: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { command }] of timed.entries()) {
      const took = await time(command, `run${round}_${i}`);
      if (round > 0) results[i]?.times.push(took);
    }
  }
  return results;
}

async function time(command: readonly string[], run: string): Promise<number> {
  const [program = "", ...args] = command.map((word) =>
    word === "{run}" ? run : word
  );
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  const before = performance.now();
  const { success, stderr } = await new Deno.Command(program, {
    args,
    cwd: `${folder}/work`,
    env: { PATH: `${deno}:${Deno.env.get("PATH")}`, RUST_BACKTRACE: "0" },
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

function report(
  results: readonly { name: string; times: readonly number[] }[],
): void {
  const against = median(results[0]?.times ?? []);
  console.log(`Start to exit, medians of ${rounds} rounds in turns`);
  for (const { name, times } of results) {
    const middle = median(times);
    console.log(
      `  ${name.padEnd(20)}${middle.toFixed(0).padStart(6)} ms` +
        `${(middle / against).toFixed(2).padStart(8)} × python3` +
        `   ${Math.min(...times).toFixed(0)} to ` +
        `${Math.max(...times).toFixed(0)} ms`,
    );
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
