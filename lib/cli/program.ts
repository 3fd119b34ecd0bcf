// From the table of commands to a parser.

import { Command as Parser, CommanderError, Option } from "commander";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { giveUp, RIGHTS } from "../system/permissions.ts";
import { VERSION } from "../system/version.ts";
import type { Command, Invocation } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Parses a command line and does what it says.
 *
 * @returns The exit code.
 * @throws {CommandError} where the command can't go on.
 */
export async function runProgram(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  let chosen: { command: Command; invocation: Invocation } | null = null;
  const parser = buildParser(terminal, (command, invocation) => {
    chosen = { command, invocation };
  });
  try {
    parser.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    throw usageError(error);
  }
  if (chosen === null) throw new Error("No command was chosen");
  const { command, invocation } = chosen as {
    command: Command;
    invocation: Invocation;
  };
  giveUp(
    ...RIGHTS.map(({ kind }) => kind).filter((kind) =>
      !command.keeps.includes(kind)
    ),
  );
  return await (await command.load())(invocation, terminal);
}

/** The parser of the whole command line. */
export function buildParser(
  terminal: Terminal,
  choose: (command: Command, invocation: Invocation) => void,
): Parser {
  const root = new Parser("tinycoder");
  for (const command of COMMANDS) {
    const parser = command.name === "" ? root : root.command(command.name);
    describe(parser, command, terminal);
    parser.action(() => {
      const invocation = { operands: parser.args, options: parser.opts() };
      if (command.name === "" && invocation.options["run"] === undefined) {
        parser.outputHelp();
        return parser.error("error: nothing to do", { exitCode: EXIT.usage });
      }
      choose(command, invocation);
    });
  }
  return root.version(VERSION, "--version", "print the version");
}

function describe(
  parser: Parser,
  command: Command,
  terminal: Terminal,
): void {
  parser
    .summary(command.summary)
    .description(
      command.details === undefined
        ? command.summary
        : `${command.summary}\n\n${command.details}`,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: () => {},
      // Width and colours don't depend on the terminal, so that the README
      // can show the same text; commander would also read the environment.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      `\nExample${command.examples.length > 1 ? "s" : ""}:\n${
        command.examples.map((line) => `  ${line}`).join("\n")
      }`,
    );
  for (const { name, description, optional } of command.operands ?? []) {
    parser.argument(optional ? `[${name}]` : `<${name}>`, description);
  }
  for (const { flags, description, choices } of command.options ?? []) {
    const option = new Option(flags, description);
    parser.addOption(choices === undefined ? option : option.choices(choices));
  }
}

function usageError(error: CommanderError): CommandError {
  const [what = "", hint] = error.message.replace(/^error: /, "").split("\n");
  return new CommandError(EXIT.usage, {
    what: "Cannot understand the command line",
    why: hint === undefined ? what : `${what} ${hint}`,
    next: "See: tinycoder --help",
  });
}
