// `tinycoder completions SHELL`: a completion script, from the table of commands.

import { EXIT, type ExitCode } from "../system/command_error.ts";
import { bashCompletion } from "./completions/bash.ts";
import type { Invocation } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { type CompletedCommand, completionWords } from "./completions/words.ts";
import { fishCompletion } from "./completions/fish.ts";
import type { Terminal } from "./terminal.ts";
import { zshCompletion } from "./completions/zsh.ts";

const SCRIPTS: Readonly<
  Record<string, (commands: readonly CompletedCommand[]) => string>
> = { bash: bashCompletion, fish: fishCompletion, zsh: zshCompletion };

/** Prints one shell's completion script. */
export function completions(
  { operands }: Invocation,
  terminal: Terminal,
): ExitCode {
  const script = SCRIPTS[operands[0] ?? ""];
  if (script === undefined) throw new TypeError("The shell was checked before");
  terminal.out(script(completionWords(COMMANDS)));
  return EXIT.done;
}
