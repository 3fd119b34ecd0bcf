// The README against the program: every command that it gives can be typed, and
// its recording is what the program says today. `deno task walk` types them all.

import assert from "node:assert/strict";
import { CommanderError } from "commander";
import type { Invocation } from "../lib/cli/command.ts";
import { COMMANDS } from "../lib/cli/commands.ts";
import { buildParser } from "../lib/cli/program.ts";
import { ROOT } from "../tasks/generated.ts";
import { readmeCommands, readmeMentions } from "../tasks/readme_commands.ts";
import { normalised, recording } from "../tasks/record.ts";

const readme = Deno.readTextFileSync(new URL("README.md", ROOT));
const configuration = JSON.parse(
  Deno.readTextFileSync(new URL("deno.json", ROOT)),
);

/** Commands of the shell, and of Deno for a program of the reader's own. */
const OTHER =
  /^(mkdir \S+ && cd \S+|export PATH="\S+"|npx --yes deno@2\.9\.4 run .+|cp -r "\$\(dirname .+\)"\/\S+ \.|gunzip \S+)$/;

/** What a command line of tinycoder comes to; throws where it is none. */
function parsed(line: string): [string, Invocation["operands"]] {
  let chosen: [string, Invocation["operands"]] = ["", []];
  const parser = buildParser(
    {
      out: () => {},
      note: () => {},
      outColor: false,
      noteIsTerminal: false,
      noteColor: false,
    },
    ({ name }, { operands }) => chosen = [name, operands],
  );
  const [, ...words] = line.match(/"[^"]*"|\S+/g) ?? [];
  try {
    parser.parse(words, { from: "user" });
  } catch (error) {
    // Help and version end the parser too.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
  return chosen;
}

Deno.test("the README's blocks have no command that can't be typed", () => {
  const commands = readmeCommands(readme);
  assert.ok(commands.length > 10);
  const other: string[] = [];
  for (const line of commands) {
    const task = line.match(/^npx --yes deno@2\.9\.4 task (\S+)$/)?.[1];
    if (task !== undefined) assert.ok(task in configuration["tasks"], line);
    else if (line.startsWith("tinycoder ")) parsed(line);
    else other.push(line);
  }
  assert.deepEqual(
    other.filter((line) => !OTHER.test(line)),
    [],
  );
});

Deno.test("the README's text mentions no command that there isn't", () => {
  const mentions = readmeMentions(readme);
  assert.ok(mentions.length > 3);
  for (const line of mentions) {
    const [, name = "", ...more] = line.split(" ");
    const command = COMMANDS.find((one) => one.name === name);
    if (command !== undefined && more.length === 0) continue;
    // A word in capitals stands for the reader's own.
    const choice = command?.operands?.[0]?.choices?.[0];
    parsed(
      choice === undefined ? line : line.replace(/ [A-Z]+$/, ` ${choice}`),
    );
  }
});

Deno.test("the README's task names are the tasks'", () => {
  const names = [...readme.matchAll(/\bdeno(?:@[0-9.]+)? task ([a-z:]+)/g)]
    .map(([, name = ""]) => name);
  assert.ok(names.length > 3);
  assert.deepEqual(
    names.filter((name) => !(name in configuration["tasks"])),
    [],
  );
});

Deno.test("the README's recording is what the program says", () => {
  const from = readme.indexOf("$ tinycoder --run");
  assert.equal(readme.slice(from, readme.indexOf("```", from)), recording());
});

Deno.test("normalised() masks what differs between runs, and nothing else", () => {
  const machine = `${Deno.build.os}, ${Deno.build.arch}`;
  assert.equal(
    normalised(
      "Run 188553bd-11eb-476d-8dc8-03a7ff2cf6c5\n" +
        "  When              2026-11-29 20:55:09 UTC\n" +
        `  With              tinycoder 0.1.0, ${machine}\n` +
        " ✓  2  test                   0 of 4 cases pass            0" +
        "           312 ms\n" +
        "  Time              1.2 s in all, edit 1,036 ms, evaluation 4 ms, " +
        "generation 5 ms,\n                    test 1 ms\n" +
        "  Evidence          baseline/, 32 records, head c4798c3545b84ccb…\n",
    ),
    "Run ········-····-····-····-············\n" +
      "  When              ····-··-·· ··:··:·· UTC\n" +
      "  With              tinycoder 0.1.0, ·, ·\n" +
      " ✓  2  test                   0 of 4 cases pass            0" +
      "             · ms\n" +
      "  Time              · ms in all, edit · ms, evaluation · ms, " +
      "generation · ms,\n                    test · ms\n" +
      "  Evidence          baseline/, 32 records, head ················…\n",
  );
});

Deno.test("readmeCommands() and readmeMentions() find what they look for", () => {
  const text = "Say `tinycoder\n  contract` or `other`.\n" +
    "```sh\n# first\ntinycoder plan   # second\n\nmkdir a && cd a\n```\n" +
    "```text\n$ tinycoder show baseline\n```\n" +
    "<!-- generated: help -->\n`tinycoder --help`\n<!-- end of help -->\n";
  assert.deepEqual(readmeCommands(text), ["tinycoder plan", "mkdir a && cd a"]);
  assert.deepEqual(readmeMentions(text), ["tinycoder contract"]);
  assert.throws(() => parsed("tinycoder plan --directory a"));
  assert.throws(() => parsed("tinycoder plane"));
  assert.deepEqual(parsed("tinycoder show a"), ["show", ["a"]]);
});
