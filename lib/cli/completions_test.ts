import assert from "node:assert/strict";
import { bashCompletion } from "./completions/bash.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { type CompletedCommand, completionWords } from "./completions/words.ts";
import { completions } from "./completions.ts";
import { fishCompletion } from "./completions/fish.ts";
import { zshCompletion } from "./completions/zsh.ts";

/** A command that does nothing, with only what completion looks at. */
function command(
  name: string,
  rest: Pick<Command, "options" | "operands"> = {},
): Command {
  return {
    name,
    summary: `it's ${name}`,
    examples: [],
    keeps: [],
    load: () => Promise.reject(new Error("Not loaded")),
    ...rest,
  };
}

const TABLE: readonly CompletedCommand[] = completionWords([
  command("", {
    options: [
      { flags: "--run <DIR>", description: "a folder" },
      { flags: "--source <NAME>", description: "of", choices: ["a", "b"] },
      { flags: "-q, --quiet", description: "say [nothing]: so" },
    ],
  }),
  command("show", { operands: [{ name: "RUN", description: "" }] }),
  command("schema", {
    operands: [{ name: "NAME", description: "", choices: ["final", "fact"] }],
  }),
]);

Deno.test("completionWords() takes spellings, values and choices from the table", () => {
  const [run, show, schema] = TABLE;
  const everywhere = [
    {
      words: ["--debug"],
      description: "show a stack trace with an error",
      takesValue: false,
      choices: [],
    },
    {
      words: ["-h", "--help"],
      description: "show this help",
      takesValue: false,
      choices: [],
    },
  ];
  assert.deepEqual(run?.options.slice(0, 3), [
    {
      words: ["--run"],
      description: "a folder",
      takesValue: true,
      choices: [],
    },
    {
      words: ["--source"],
      description: "of",
      takesValue: true,
      choices: ["a", "b"],
    },
    {
      words: ["-q", "--quiet"],
      description: "say [nothing]: so",
      takesValue: false,
      choices: [],
    },
  ]);
  assert.deepEqual(show, {
    name: "show",
    summary: "it's show",
    options: everywhere,
    choices: [],
    takesOperand: true,
  });
  assert.deepEqual(schema?.choices, ["final", "fact"]);
});

/** What bash offers for a line that ends where the cursor is. */
async function offered(line: string): Promise<string[]> {
  const script = `${bashCompletion(TABLE)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_tinycoder
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", script, "bash", ...line.split(" ")],
  }).output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stderr));
  return decoder.decode(stdout).split("\n").filter((word) => word !== "");
}

for (
  const [line, expected] of [
    ["tinycoder ", ["show", "schema"]],
    ["tinycoder sc", ["schema"]],
    ["tinycoder --r", ["--run"]],
    ["tinycoder --source ", ["a", "b"]],
    ["tinycoder --run ", []],
    ["tinycoder --quiet ", ["show", "schema"]],
    ["tinycoder show --", ["--debug", "--help"]],
    ["tinycoder show ", []],
    ["tinycoder show --run ", []],
    ["tinycoder schema fi", ["final"]],
    ["tinycoder x", []],
  ] as const
) {
  Deno.test(`bashCompletion() offers [${expected}] for "${line}"`, async () => {
    assert.deepEqual(await offered(line), expected);
  });
}

Deno.test("zshCompletion() escapes what its specifications give a meaning", () => {
  const script = zshCompletion(TABLE);
  assert.match(script, /^#compdef tinycoder\n/);
  assert.ok(script.includes("'show:it'\\''s show'"));
  assert.ok(script.includes("'--quiet[say \\[nothing\\]\\: so]'"));
  assert.ok(script.includes("'--source[of]: :(a b)'"));
  assert.ok(script.includes("'--run[a folder]: :_files'"));
  assert.ok(script.includes("'*: :(final fact)'"));
});

Deno.test("fishCompletion() has a line for each word", () => {
  const lines = fishCompletion(TABLE).split("\n");
  const run = "complete -c tinycoder " +
    "-n 'not __fish_seen_subcommand_from show schema'";
  for (
    const line of [
      `${run} -l source -x -a 'a b' -d 'of'`,
      `${run} -l run -r -d 'a folder'`,
      `${run} -s q -l quiet -d 'say [nothing]: so'`,
      "complete -c tinycoder -n __fish_use_subcommand -f -a show " +
      "-d 'it\\'s show'",
      "complete -c tinycoder -n '__fish_seen_subcommand_from schema' " +
      "-f -a 'final fact'",
    ]
  ) {
    assert.ok(lines.includes(line), line);
  }
});

for (const shell of ["bash", "zsh", "fish"]) {
  Deno.test(`completions() names every command and option for ${shell}`, () => {
    let script = "";
    const code = completions({ operands: [shell], options: {} }, {
      out: (text) => script += text,
      note: () => {},
      outColor: false,
      noteIsTerminal: false,
      noteColor: false,
    });
    assert.equal(code, 0);
    for (const { name, options = [] } of COMMANDS) {
      assert.match(script, new RegExp(`\\b${name}\\b`));
      for (const { flags } of options) {
        const word = flags.match(/--([a-z-]+)/)?.[1] ?? "";
        const spelt = shell === "fish" ? `-l ${word} ` : `--${word}`;
        assert.ok(script.includes(spelt), spelt);
      }
    }
  });
}
