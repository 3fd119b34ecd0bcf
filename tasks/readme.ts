// The README's generated sections: what tables and the parser say stands there
// once, and is checked.

import undetectable from "../fixtures/undetectable.json" with { type: "json" };
import { buildParser } from "../lib/cli/program.ts";
import { COMMANDS } from "../lib/cli/commands.ts";
import { STOP_WORDS } from "../lib/evidence/run_words.ts";
import { DENIALS } from "../lib/lab/contract/denial_codes.ts";
import {
  ANCESTOR_LEVELS,
  RIGHTS,
  RUN_MARK_ABOVE,
} from "../lib/system/permissions.ts";
import type { Terminal } from "../lib/cli/terminal.ts";
import { ROOT_PATH } from "./build/files.ts";
import { recording } from "./record.ts";

/** The README with every generated section as it should be. */
export function readmeText(present: string): string {
  let text = present;
  for (const [name, section] of Object.entries(sections())) {
    const start = `<!-- generated: ${name} -->\n`;
    const end = `<!-- end of ${name} -->`;
    const from = text.indexOf(start);
    const to = text.indexOf(end);
    if (from === -1 || to === -1) {
      throw new Error(`README.md lacks its section "${name}"`);
    }
    text = text.slice(0, from + start.length) + `\n${section}\n\n` +
      text.slice(to);
  }
  return text;
}

function sections(): Record<string, string> {
  return {
    denials: codeTable(DENIALS),
    help: helpSection(),
    permissions: permissionSection(),
    proposals: block("text", ownText("tests/proposers/proposals.txt")),
    proposer: block("python", ownText("tests/proposers/proposer.py")),
    recording: block("text", recording()) +
      "\n\nA `·` stands for what differs between runs and machines.",
    stops: codeTable(STOP_WORDS),
    typescript: block("ts", ownText("tests/proposers/proposer.ts")),
    undetectable: undetectableSection(),
  };
}

/** Codes with their meanings. */
function codeTable(codes: Readonly<Record<string, string>>): string {
  const rows = Object.entries(codes).map(([code, meaning]) =>
    `| \`${code}\` | ${meaning} |`
  );
  return ["| code | meaning |", "| --- | --- |", ...rows].join("\n");
}

/** A file of the checkout as it stands. */
function ownText(path: string): string {
  return Deno.readTextFileSync(`${ROOT_PATH}${path}`);
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** What an unsigned run can't show, each shown by a mutant in the tests. */
function undetectableSection(): string {
  const rows = undetectable.changes
    .filter(({ forgery }) => forgery === "chain")
    .map(({ file, event, field, why }) =>
      `| ${named(file)} | ${named(event)} | \`${field}\` | ${why} |`
    );
  return [
    "| file | event | field | why |",
    "| --- | --- | --- | --- |",
    ...rows,
  ]
    .join("\n");
}

function named(name: string): string {
  return name === "*" ? "any" : `\`${name}\``;
}

function helpSection(): string {
  const parser = buildParser(silent, () => {});
  const commands = [parser, ...parser.commands];
  return commands.map((command, i) => {
    const table = COMMANDS[i];
    if (table === undefined) throw new Error("A command without its entry");
    const words = ["tinycoder", table.name].filter((word) => word !== "");
    const examples = table.examples.map((line) => `  ${line}`).join("\n");
    return `\`${
      words.join(" ")
    } --help\`\n\n\`\`\`text\n${command.helpInformation().trimEnd()}\n\nExample${
      table.examples.length > 1 ? "s" : ""
    }:\n${examples}\n\`\`\``;
  }).join("\n\n");
}

function permissionSection(): string {
  const rows = RIGHTS.map(({ kind, scope, why }) => {
    const shown = scope.length > 6
      ? `\`${scope[0]}\`, and above it the names ${
        scope.slice(1, 5).map((path) => `\`${path}\``).join(", ")
      } … ${ANCESTOR_LEVELS} levels up, and \`${RUN_MARK_ABOVE}\``
      : scope.map((one) => `\`${one}\``).join(", ");
    return `| ${kind} | ${shown} | ${why} |`;
  });
  return [
    "| right | what | for |",
    "| --- | --- | --- |",
    ...rows,
    "| run | nothing | no command is ever started |",
  ].join("\n");
}

const silent: Terminal = {
  out: () => {},
  note: () => {},
  outColor: false,
  noteIsTerminal: false,
  noteColor: false,
};
