// Completion for fish: one `complete` line for each word.

import type { CompletedCommand } from "./words.ts";

/** A script for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).filter((name) => name !== "");
  const lines = commands.flatMap((command) => {
    const { name, summary, options, choices, takesOperand } = command;
    const here = name === ""
      ? `not __fish_seen_subcommand_from ${names.join(" ")}`
      : `__fish_seen_subcommand_from ${name}`;
    const line = (...rest: readonly string[]) =>
      ["complete -c tinycoder", `-n ${quoted(here)}`, ...rest].join(" ");
    return [
      ...(name === "" ? [] : [
        `complete -c tinycoder -n __fish_use_subcommand -f -a ${name} ` +
        `-d ${quoted(summary)}`,
      ]),
      ...(choices.length > 0
        ? [line(`-f -a ${quoted(choices.join(" "))}`)]
        : takesOperand
        ? []
        : [line("-f")]),
      ...options.map(({ words, description, takesValue, choices }) =>
        line(
          ...words.map((word) =>
            word.startsWith("--")
              ? `-l ${word.slice(2)}`
              : `-s ${word.slice(1)}`
          ),
          ...(!takesValue
            ? []
            : choices.length > 0
            ? [`-x -a ${quoted(choices.join(" "))}`]
            : ["-r"]),
          `-d ${quoted(description)}`,
        )
      ),
    ];
  });
  return `# fish completion for tinycoder\n${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
