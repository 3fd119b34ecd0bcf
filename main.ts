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
  const { code } = Object(error) as { code?: unknown };
  terminal.note(
    typeof code === "string"
      // The system's own message would show absolute paths.
      ? `Cannot go on: the system answered ${code}.\n` +
        "Check that the files named are there, readable, and on a healthy disk.\n"
      : `Cannot go on: ${error instanceof Error ? error.message : error}.\n` +
        "This is a fault of tinycoder's own; run it again with --debug.\n",
  );
  if (debug && error instanceof Error) terminal.note(`${error.stack}\n`);
  Deno.exit(EXIT.harness);
}
