// Reads the command line, hands over to one command, and ends the process.

import { runProgram } from "./lib/cli/program.ts";
import { ClosedOutput, processTerminal } from "./lib/cli/terminal.ts";
import { CommandError, EXIT } from "./lib/system/command_error.ts";
import { endProgram } from "./lib/system/end_program.ts";
import { systemCode } from "./lib/system/error_code.ts";
import { readWords } from "./lib/system/read_words.ts";
import { showSafely } from "./lib/system/safe_text.ts";

const terminal = processTerminal();
const debug = Deno.args.includes("--debug");
// Whatever a message repeats, nothing in it acts on the terminal.
const note = (text: string | undefined) =>
  terminal.note(`${showSafely(text ?? "", { newlines: true })}\n`);
try {
  endProgram(await runProgram(Deno.args, terminal));
} catch (error) {
  if (error instanceof CommandError) {
    // As after `| head`: whoever reads no further asks for no message either.
    if (!(error instanceof ClosedOutput)) note(error.message);
    if (debug) note(error.stack);
    endProgram(error.exitCode);
  }
  const code = systemCode(error);
  note(
    code !== null
      // The system's own message would show absolute paths.
      ? `Cannot go on with one of the files: ${readWords(error)}.\n` +
        "Check that the files named are there, readable, and on a healthy disk."
      : `Cannot go on: ${error instanceof Error ? error.message : error}.\n` +
        "This is a fault of tinycoder's own; run it again with --debug.",
  );
  if (debug && error instanceof Error) note(error.stack);
  endProgram(EXIT.harness);
}
