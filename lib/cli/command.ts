// One file a command; the table of commands makes the parser, the help, the
// README's help text and the shell completions.

import type { ExitCode } from "../system/command_error.ts";
import type { PermissionKind } from "../system/permissions.ts";
import type { Terminal } from "./terminal.ts";

/** One operand of a command. */
export interface Operand {
  readonly name: string;
  readonly description: string;
  /** Absent operands are allowed where this is true. */
  readonly optional?: true;
  /** The closed set of values, where there is one. */
  readonly choices?: readonly string[];
}

/** One option of a command, as commander spells it. */
export interface CommandOption {
  /** Such as `--source <NAME>`. */
  readonly flags: string;
  readonly description: string;
  /** The closed set of values, where there is one. */
  readonly choices?: readonly string[];
  /** Whether the command can't do without it. */
  readonly required?: true;
}

/** What was typed, parsed. */
export interface Invocation {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** Does what a command is for. */
export type RunCommand = (
  invocation: Invocation,
  terminal: Terminal,
) => Promise<ExitCode> | ExitCode;

/** One command. */
export interface Command {
  /** Its word on the command line; empty for the run itself. */
  readonly name: string;
  readonly summary: string;
  /** More for its own help, where the summary doesn't say it all. */
  readonly details?: string;
  readonly operands?: readonly Operand[];
  readonly options?: readonly CommandOption[];
  /** Whole command lines that work as they stand. */
  readonly examples: readonly string[];
  /** Rights that it keeps; all others are given up before it begins. */
  readonly keeps: readonly PermissionKind[];
  /** Whether it makes a folder, and so must look for repositories above. */
  readonly makesFolder?: true;
  /** Loads its code, so that no command pays for another's. */
  readonly load: () => Promise<RunCommand>;
}
