// From the table of commands to a parser.

import { Argument, Command as Parser, CommanderError, Option } from "commander";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { giveUp, giveUpAncestorMarks, RIGHTS } from "../system/permissions.ts";
import { showSafely } from "../system/safe_text.ts";
import { VERSION } from "../system/version.ts";
import type { Command, Invocation } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { quoteTyped } from "./quote_typed.ts";
import type { Terminal } from "./terminal.ts";
import { cut } from "./text_layout.ts";

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
  const words = asHelpOption(args);
  let chosen: { command: Command; invocation: Invocation } | null = null;
  let meant = "";
  const parser = buildParser(terminal, (command, invocation) => {
    chosen = { command, invocation };
  }, (command) => {
    meant = command.name;
  });
  try {
    parser.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    throw await usageError(error, words, meant);
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
  if (!command.makesFolder) giveUpAncestorMarks();
  return await (await command.load())(invocation, terminal);
}

/**
 * The parser of the whole command line.
 *
 * @param choose Told of the command and what was typed for it.
 * @param refuse Told of the command whose words can't be understood, before
 *   commander's error is thrown.
 */
export function buildParser(
  terminal: Terminal,
  choose: (command: Command, invocation: Invocation) => void,
  refuse: (command: Command) => void = () => {},
): Parser {
  const root = new Parser("tinycoder");
  for (const command of COMMANDS) {
    const parser = command.name === "" ? root : root.command(command.name);
    describe(parser, command, terminal);
    refuseRepetition(parser);
    parser.exitOverride((error) => {
      refuse(command);
      throw error;
    });
    parser.action(() => {
      const invocation = { operands: parser.args, options: parser.opts() };
      if (command.name === "" && invocation.options["run"] === undefined) {
        parser.outputHelp();
        return parser.error("error: nothing to do", { exitCode: EXIT.usage });
      }
      const stray = command.name === "" ? [] : Object.keys(root.opts());
      if (stray.length > 0) {
        return parser.error(
          `error: "${command.name}" takes its own options, after its name`,
          { exitCode: EXIT.usage },
        );
      }
      choose(command, invocation);
    });
  }
  return root
    .enablePositionalOptions()
    .version(VERSION, "-V, --version", "print the version");
}

/** `help verify`, as many programs take it, is `verify --help`. */
function asHelpOption(args: readonly string[]): readonly string[] {
  const [word, ...rest] = args;
  if (word !== "help") return args;
  const [about = ""] = rest;
  // Of a word that is no command the answer is the same as without "help".
  return about === "" || about.startsWith("-")
    ? ["--help"]
    : isCommand(about)
    ? [about, "--help"]
    : [about];
}

function describe(
  parser: Parser,
  command: Command,
  terminal: Terminal,
): void {
  parser
    .summary(command.summary)
    .description(
      [sentence(command.summary), command.details ?? []].flat().join("\n\n"),
    )
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
    // Else the column beside the longest terms would not be wrapped at all.
    .configureHelp({ minWidthToWrap: 20 })
    .option("--debug", "show a stack trace with an error")
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
  for (const operand of command.operands ?? []) {
    const { name, description, optional, choices } = operand;
    const argument = new Argument(
      optional ? `[${name}]` : `<${name}>`,
      description,
    );
    parser.addArgument(
      choices === undefined ? argument : argument.choices(choices),
    );
  }
  for (const asked of command.options ?? []) {
    const { flags, description, choices, required } = asked;
    const option = new Option(flags, description)
      .makeOptionMandatory(required === true);
    parser.addOption(choices === undefined ? option : option.choices(choices));
  }
  const required = parser.options.filter(({ mandatory }) => mandatory);
  if (required.length > 0) {
    const flags = required.map(({ flags }) => flags).join(" ");
    parser.usage(`${flags} ${parser.usage()}`);
  }
}

/** A value that is given twice would else be the last one, in silence. */
function refuseRepetition(parser: Parser): void {
  for (const option of parser.options.filter(({ required }) => required)) {
    let given = false;
    parser.on(`option:${option.name()}`, () => {
      if (given) {
        parser.error(`error: option '${option.flags}' is given twice`, {
          exitCode: EXIT.usage,
        });
      }
      given = true;
    });
  }
}

function sentence(summary: string): string {
  const [first = "", ...rest] = summary;
  return `${first.toUpperCase()}${rest.join("")}${
    summary.endsWith(".") ? "" : "."
  }`;
}

/**
 * What commander says, in this program's own form.
 *
 * @param meant Name of the command that was being read.
 */
async function usageError(
  error: CommanderError,
  args: readonly string[],
  meant: string,
): Promise<CommandError> {
  const next = `See: tinycoder ${meant === "" ? "" : `${meant} `}--help`;
  const word = args[0] ?? "";
  if (error.code === "commander.excessArguments" && !isCommand(word)) {
    return new CommandError(EXIT.usage, {
      what: `Cannot do ${quoteTyped(word)}`,
      why: "there is no such command",
      next: word === "run" ? TO_RUN : `${await nearest(word)}${next}`,
    });
  }
  const [why = "", hint = ""] = error.message
    .replace(/^error: /, "")
    .replace(/\.$/, "")
    .split("\n");
  return new CommandError(EXIT.usage, {
    what: "Cannot understand the command line",
    why: cut(showSafely(`${why} ${hint}`.trimEnd()), MAX_WHY_COLUMNS),
    next,
  });
}

/** For whoever takes the option that makes a run for a command. */
const TO_RUN = "To make a run: tinycoder --run baseline";

/** Most columns of what is wrong with a command line: it repeats words of it. */
const MAX_WHY_COLUMNS = 400;

function isCommand(word: string): boolean {
  return COMMANDS.some(({ name }) => name === word);
}

async function nearest(word: string): Promise<string> {
  // Loaded only here: a CommonJS module costs every start some 40 ms.
  const { distance } = await import("fastest-levenshtein");
  const names = COMMANDS.map(({ name }) => name).filter((name) => name !== "");
  const [best = "", changes = Infinity] = names
    .map((name) => [name, distance(word, name)] as const)
    .sort(([, a], [, b]) => a - b)[0] ?? [];
  return changes <= 2 ? `Did you mean "${best}"? ` : "";
}
