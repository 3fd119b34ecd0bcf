// `tinycoder licenses`: under what everything in the program may be used.

import parts from "../../fixtures/licenses.json" with { type: "json" };
import { EXIT, type ExitCode } from "../system/command_error.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Prints the licences of the program and of all it carries. */
export function licenses(
  { options }: Invocation,
  terminal: Terminal,
): ExitCode {
  if (options["json"]) terminal.out(`${JSON.stringify(parts)}\n`);
  else terminal.out(licensesPage());
  return EXIT.done;
}

/** A table of all parts, then each one's licence. */
function licensesPage(): string {
  const titles = parts.map(({ name, version }) =>
    version === null ? name : `${name} ${version}`
  );
  const width = Math.max(...titles.map(({ length }) => length));
  const table = parts.map(({ license, note }, i) =>
    `  ${titles[i]?.padEnd(width)}  ${license}` +
    (note === null ? "" : `\n    (${note})`)
  );
  const texts = parts.map(({ license, text }, i) =>
    `${"-".repeat(72)}\n${titles[i]} (${license})\n\n${text}`
  );
  return `${table.join("\n")}\n\n${texts.join("\n\n")}\n`;
}
