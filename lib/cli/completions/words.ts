// What a shell can complete, from the table of commands.

import type { Command } from "../command.ts";

/** One option, as a shell completes it. */
export interface CompletedOption {
  /** Spellings, such as `-h` and `--help`. */
  readonly words: readonly string[];
  readonly description: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The values, where they are a closed set; else a path is offered. */
  readonly choices: readonly string[];
}

/** One command, as a shell completes it. */
export interface CompletedCommand {
  /** Its word; empty for the run itself. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The values of its operands; where there are none, a path is offered. */
  readonly choices: readonly string[];
  /** Whether it takes an operand at all. */
  readonly takesOperand: boolean;
}

/** Options that every command has; the run itself has the version, too. */
const EVERYWHERE: readonly CompletedOption[] = [
  plain(["--debug"], "show a stack trace with an error"),
  plain(["-h", "--help"], "show this help"),
];

/** The table as words. */
export function completionWords(
  commands: readonly Command[],
): CompletedCommand[] {
  return commands.map(({ name, summary, options = [], operands = [] }) => ({
    name,
    summary,
    options: [
      ...options.map(({ flags, description, choices = [] }) => ({
        words: flags.match(/--?[a-z][a-z-]*/g) ?? [],
        description,
        takesValue: /[<[]/.test(flags),
        choices,
      })),
      ...(name === "" ? [plain(["--version"], "print the version")] : []),
      ...EVERYWHERE,
    ],
    choices: operands.flatMap(({ choices = [] }) => choices),
    takesOperand: operands.length > 0,
  }));
}

function plain(words: readonly string[], description: string): CompletedOption {
  return { words, description, takesValue: false, choices: [] };
}
