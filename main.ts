// Reads the command line, hands over to one command, and ends the process.

import { runProgram } from "./lib/cli/program.ts";
import { processTerminal } from "./lib/cli/terminal.ts";
import { CommandError, EXIT } from "./lib/system/command_error.ts";

const terminal = processTerminal();
const debug = Deno.args.includes("--debug");
try {
  Deno.exit(await runProgram(Deno.args, terminal));
} catch (error) {
  if (error instanceof CommandError) {
    terminal.note(`${error.message}\n`);
    if (debug) terminal.note(`${error.stack}\n`);
    Deno.exit(error.exitCode);
  }
  terminal.note(
    `Cannot go on: ${error instanceof Error ? error.message : error}.\n` +
      "This is a fault of tinycoder's own; run it again with --debug.\n",
  );
  if (debug && error instanceof Error) terminal.note(`${error.stack}\n`);
  Deno.exit(EXIT.harness);
}
