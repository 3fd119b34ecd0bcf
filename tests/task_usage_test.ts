// A task says in its first lines how it is called; wrong arguments end it with
// that, before it does anything.

import assert from "node:assert/strict";
import config from "../deno.json" with { type: "json" };
import { usageIn } from "../tasks/usage.ts";

const TASKS = new URL("../tasks/", import.meta.url).pathname;

/** Tasks that take arguments, and wrong ones: what each is told. */
const WRONG: Readonly<
  Record<string, readonly [args: string[], why: string][]>
> = {
  "acquire_sweep.ts": [
    [[], "An argument is missing"],
    [
      ["nosuch"],
      "The first argument is one of kills, large, small, limits, " +
      'not "nosuch"',
    ],
    [["small"], 'FOLDER is a folder, and "" is none'],
    [["limits", "1"], '"limits" has no place for "1"'],
  ],
  "bench.ts": [
    [["abc"], 'ROUNDS is a whole number from 1 on, not "abc"'],
    [["--model"], 'FOLDER is a folder, and "" is none'],
    [["--nosuch"], "Unknown option '--nosuch'"],
    [["--growth"], "Only with --model is there anything but ROUNDS"],
  ],
  "bench/model_side.ts": [[["/"], "An argument is missing"]],
  "bench/verify_side.ts": [
    [["/", "x", "1"], 'PROPOSALS is a whole number from 1 on, not "x"'],
  ],
  "bench_startup.ts": [
    [["0"], 'ROUNDS is a whole number from 1 on, not "0"'],
  ],
  "check_smollm2.ts": [
    [["/nosuch"], 'FOLDER is a folder, and "/nosuch" is none'],
  ],
  "fault_sweep.ts": [
    [["runs", "x"], 'NTH is a whole number from 1 on, not "x"'],
    [["small_disks", "1"], '"small_disks" has no place for "1"'],
  ],
  "full_size_trial.ts": [
    [["/", "/nosuch"], 'MANIFEST is a file, and "/nosuch" is none'],
  ],
  "fuzz.ts": [
    [[], "An argument is missing"],
    [
      ["proposal", "--minutes", "x"],
      "--minutes is a number above 0" +
      ', not "x"',
    ],
    [
      ["proposal", "--input", "?"],
      "--input is a file or base64, and " +
      '"?" is neither',
    ],
  ],
  "generate.ts": [[["--chek"], "Unknown option '--chek'"]],
  "hang_trials.ts": [
    [["nosuch"], 'STAGE is one of load, prefill, decode, not "nosuch"'],
  ],
  "kill_sweep.ts": [
    [["1", "1", "2"], "TRIALS are a part of the COUNT runs"],
  ],
  "load_sweep.ts": [[["x"], 'RUNS is a whole number from 1 on, not "x"']],
  "make_checkpoint.ts": [
    [["a", "--size", "b"], '--size is one of tiny, pinned, not "b"'],
  ],
  "memory_sweep.ts": [[["-1"], "Unknown option '-1'"]],
  "mutation_sweep.ts": [[["1", "2"], 'There is no place for "2"']],
  "player/pack_player.ts": [[["/"], "An argument is missing"]],
  "player/player_script.ts": [[[], "An argument is missing"]],
  "race_sweep.ts": [
    [["1", "1.5"], 'SEED is a whole number from 0 on, not "1.5"'],
  ],
};

/** How a task may be called, by its path below the folder of tasks. */
function callsOf(path: string): string[] {
  const named = Object.entries(config.tasks)
    .filter(([, { command }]) => command.endsWith(` tasks/${path}`))
    .map(([name]) => `deno task ${name}`);
  return [...named, `deno run -A tasks/${path}`];
}

function sources(folder = ""): string[] {
  return [...Deno.readDirSync(TASKS + folder)].flatMap(
    ({ name, isDirectory }) =>
      isDirectory
        ? sources(`${folder}${name}/`)
        : name.endsWith(".ts")
        ? `${folder}${name}`
        : [],
  );
}

Deno.test("usageIn() takes a usage from a task's first lines", () => {
  assert.equal(
    usageIn("// A task.\n//\n// usage: a B\n//        a C\n//\n// More.\n"),
    "a B\n       a C",
  );
  assert.equal(usageIn("// usage: a\nconst b = 1;\n"), "a");
  assert.throws(() => usageIn("// A task.\n"), /doesn't say its usage/);
});

Deno.test("every task that takes arguments says whole commands, and is tried here", () => {
  const taking = sources().filter((path) =>
    Deno.readTextFileSync(TASKS + path).includes("new TaskUsage(import.meta")
  );
  assert.deepEqual(taking.sort(), Object.keys(WRONG).sort());
  for (const path of taking) {
    const usage = usageIn(Deno.readTextFileSync(TASKS + path));
    for (const line of usage.split("\n").map((line) => line.trim())) {
      const isOption = line.startsWith("[");
      const isCall = callsOf(path).some((call) =>
        line === call || line.startsWith(`${call} `)
      );
      assert.ok(isOption || isCall, `${path}: ${line}`);
    }
  }
});

for (const [path, cases] of Object.entries(WRONG)) {
  Deno.test(`tasks/${path} ends at wrong arguments with its usage`, async () => {
    const usage = usageIn(Deno.readTextFileSync(TASKS + path));
    for (const [args, why] of cases) {
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", TASKS + path, ...args],
        env: { RUST_BACKTRACE: "0", NO_COLOR: "1" },
        stdin: "null",
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      assert.deepEqual([code, text(stdout), text(stderr)], [
        2,
        "",
        `${why}.\nusage: ${usage}\n`,
      ]);
    }
  });
}
