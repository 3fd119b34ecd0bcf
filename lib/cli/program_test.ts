import assert from "node:assert/strict";
import { CommandError } from "../system/command_error.ts";
import { RIGHTS } from "../system/permissions.ts";
import { VERSION } from "../system/version.ts";
import type { Command, Invocation } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { buildParser, runProgram } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/** A terminal that keeps what it is told. */
function keepingTerminal() {
  const said = { out: "", note: "" };
  const terminal: Terminal = {
    out: (text) => said.out += text,
    note: (text) => said.note += text,
    outColor: false,
    noteIsTerminal: false,
    noteColor: false,
  };
  return { terminal, said };
}

/** What the program answers by itself: code and text, or code and error. */
async function answer(
  ...args: string[]
): Promise<{ code: number; out: string; note: string; error?: string }> {
  const { terminal, said } = keepingTerminal();
  try {
    return { code: await runProgram(args, terminal), ...said };
  } catch (error) {
    assert(error instanceof CommandError);
    return { code: error.exitCode, ...said, error: error.message };
  }
}

/** What a command line is taken for. */
function chosen(...args: string[]) {
  const choice: { command?: Command; invocation?: Invocation } = {};
  buildParser(keepingTerminal().terminal, (command, invocation) => {
    Object.assign(choice, { command, invocation });
  }).parse(args, { from: "user" });
  return choice;
}

const SEE_HELP = "See: tinycoder --help";

Deno.test("runProgram() shows help and version on stdout, and is done", async () => {
  assert.deepEqual(await answer("--version"), {
    code: 0,
    out: `${VERSION}\n`,
    note: "",
  });
  assert.deepEqual(await answer("-V"), await answer("--version"));
  assert.deepEqual(await answer("help"), await answer("--help"));
  assert.deepEqual(
    await answer("help", "verify"),
    await answer("verify", "--help"),
  );
  assert.deepEqual(await answer("help", "verfy"), await answer("verfy"));
  assert.deepEqual(
    await answer("help", "--run", "here"),
    await answer("--help"),
  );
  const { code, out, note } = await answer("--help");
  assert.deepEqual([code, note], [0, ""]);
  for (const { name, summary } of COMMANDS) {
    assert(out.includes(name), name);
    const start = summary.slice(0, 20);
    assert(out.toLowerCase().includes(start.toLowerCase()), start);
  }
  assert.match(out, /--run <DIR>/);
});

Deno.test("runProgram() shows each command's help, with an example, on 80 columns", async () => {
  for (const { name, examples, operands = [], options = [] } of COMMANDS) {
    const { code, out } = await answer(...(name === "" ? [] : [name]), "-h");
    assert.equal(code, 0);
    for (const example of examples) assert(out.includes(`  ${example}\n`));
    for (const { name: operand } of operands) assert(out.includes(operand));
    for (const { flags } of options) assert(out.includes(flags), flags);
    for (const line of out.split("\n")) {
      const isExample = examples.includes(line.trim());
      assert(line.length <= 80 || isExample, line);
      assert(!line.includes("\x1b"), "No colours");
    }
  }
});

Deno.test("runProgram() shows an option that a command can't do without where the usage is", async () => {
  const usages = await Promise.all(
    ["replay", "sign", "show"].map(async (name) =>
      (await answer(name, "--help")).out.split("\n")[0]
    ),
  );
  assert.deepEqual(usages, [
    "Usage: tinycoder replay --run <DIR> [options] <RUN>",
    "Usage: tinycoder sign --key <FILE> [options] <RUN>",
    "Usage: tinycoder show [options] <RUN>",
  ]);
});

Deno.test("runProgram() shows the help to who says nothing, and calls it wrong usage", async () => {
  const { code, out, error } = await answer();
  assert.deepEqual([code, error], [
    2,
    `Cannot understand the command line: nothing to do.\n${SEE_HELP}`,
  ]);
  assert.equal(out, (await answer("--help")).out);
});

Deno.test("runProgram() says in one error what it can't understand, and the nearest", async () => {
  const cases: [string[], string, string?][] = [
    [["--rum", "a"], "unknown option '--rum' (Did you mean --run?)"],
    [["--zzz"], "unknown option '--zzz'"],
    [["--run"], "option '--run <DIR>' argument missing"],
    [
      ["--run", "a", "--source", "model"],
      "option '--source <NAME>' argument 'model' is invalid. " +
      "Allowed choices are scripted, stdio",
    ],
    [["show"], "missing required argument 'RUN'", "show "],
    [
      ["show", "a", "b"],
      "too many arguments for 'show'. Expected 1 argument but got 2: a, b",
      "show ",
    ],
    [["replay", "a"], "required option '--run <DIR>' not specified", "replay "],
    [
      ["plan", "--x\x1b[31m\u202e"],
      "unknown option '--x\\u{1b}[31m\\u{202e}'",
      "plan ",
    ],
    [
      ["--json", "show", "a"],
      '"show" takes its own options, after its name',
      "show ",
    ],
  ];
  for (const [args, why, command = ""] of cases) {
    assert.deepEqual(await answer(...args), {
      code: 2,
      out: "",
      note: "",
      error: `Cannot understand the command line: ${why}.\n` +
        `See: tinycoder ${command}--help`,
    });
  }
  const { code, error } = await answer("shwo", "a");
  assert.deepEqual([code, error], [
    2,
    'Cannot do "shwo": there is no such command.\n' +
    `Did you mean "show"? ${SEE_HELP}`,
  ]);
  assert.equal(
    (await answer("run", "baseline")).error,
    'Cannot do "run": there is no such command.\n' +
      "To make a run: tinycoder --run baseline",
  );
  assert.equal(
    (await answer("conversation")).error,
    `Cannot do "conversation": there is no such command.\n${SEE_HELP}`,
  );
  assert.equal(
    (await answer("a\n\x1b")).error,
    `Cannot do "a\\u{a}\\u{1b}": there is no such command.\n${SEE_HELP}`,
  );
  const { error: long = "" } = await answer("show", "a", "b".repeat(100_000));
  assert(long.length < 600, `${long.length} characters`);
});

Deno.test("runProgram() refuses a value that is given twice, whatever the command", async () => {
  for (const { name, options = [], operands = [] } of COMMANDS) {
    for (const { flags, choices } of options) {
      const [flag = "", value] = flags.split(" ");
      if (value === undefined) continue;
      const typed = choices?.[0] ?? "a";
      const words = [flag, typed, `${flag}=${choices?.at(-1) ?? "b"}`];
      const args = [...(name === "" ? [] : [name]), ...operands.map(() => "a")];
      assert.deepEqual(await answer(...args, ...words), {
        code: 2,
        out: "",
        note: "",
        error: "Cannot understand the command line: " +
          `option '${flags}' is given twice.\n` +
          `See: tinycoder ${name === "" ? "" : `${name} `}--help`,
      });
    }
  }
  // What is said twice and can't differ is no mistake.
  assert.deepEqual(
    chosen("show", "a", "--json", "--json").invocation?.options,
    { json: true },
  );
});

Deno.test("buildParser() hands operands and options to the command", () => {
  const { command, invocation } = chosen("show", "--json", "runs/a");
  assert.equal(command?.name, "show");
  assert.deepEqual(invocation, {
    operands: ["runs/a"],
    options: { json: true },
  });
  assert.deepEqual(
    chosen("--run", "a", "--source", "stdio", "--require-success").invocation,
    {
      operands: [],
      options: { run: "a", source: "stdio", requireSuccess: true },
    },
  );
});

Deno.test("COMMANDS have names of their own, examples that parse, and rights of the table", () => {
  const names = COMMANDS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const kinds = RIGHTS.map(({ kind }) => kind);
  for (const command of COMMANDS) {
    const { name, examples, keeps } = command;
    assert(examples.length > 0, name);
    for (const example of examples) {
      const [, typed] = example.match(/(?:^|\| )tinycoder (.*)$/) ?? [];
      assert(typed !== undefined, example);
      assert.equal(chosen(...typed.split(" ")).command, command, example);
    }
    assert.deepEqual(keeps.filter((kind) => !kinds.includes(kind)), []);
  }
});

Deno.test("COMMANDS load what they do", async () => {
  for (const { name, load } of COMMANDS) {
    assert.equal(typeof await load(), "function", name);
  }
});
