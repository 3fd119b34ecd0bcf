// Reads the command line, hands over to one command, and ends the process.

import { runProgram } from "./lib/cli/program.ts";
import { processTerminal } from "./lib/cli/terminal.ts";
import { CommandError, EXIT } from "./lib/system/command_error.ts";

const terminal = processTerminal();
try {
  Deno.exit(await runProgram(Deno.args, terminal));
} catch (error) {
  if (error instanceof CommandError) {
    terminal.note(`${error.message}\n`);
    Deno.exit(error.exitCode);
  }
  terminal.note(`Cannot go on: ${(error as Error).message}\n`);
  Deno.exit(EXIT.harness);
}
