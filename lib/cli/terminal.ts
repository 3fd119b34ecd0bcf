// Results on stdout, progress and warnings on stderr.

import { CommandError, EXIT } from "../system/command_error.ts";
import { errorCode } from "../system/error_code.ts";

/** Where a command's words go. */
export interface Terminal {
  /** Writes a result to stdout. */
  out(text: string): void;
  /** Writes progress or a warning to stderr. */
  note(text: string): void;
  /** Whether stdout may be coloured. */
  readonly outColor: boolean;
  /** Whether somebody watches stderr. */
  readonly noteIsTerminal: boolean;
  /** Whether stderr may be coloured. */
  readonly noteColor: boolean;
}

/** This process's own terminal. */
export function processTerminal(): Terminal {
  return {
    out: (text) => {
      try {
        writeAll(Deno.stdout, text);
      } catch (error) {
        const Fault = isClosed(error) ? ClosedOutput : CommandError;
        throw new Fault(EXIT.harness, {
          what: "Cannot write the result",
          why: outputWords(error),
          next: "Run the command again, with its output going to a file.",
        }, error);
      }
    },
    note: (text) => {
      try {
        writeAll(Deno.stderr, text);
      } catch {
        // Nobody reads the progress any more; the work goes on.
      }
    },
    outColor: !Deno.noColor && Deno.stdout.isTerminal(),
    noteIsTerminal: Deno.stderr.isTerminal(),
    noteColor: !Deno.noColor && Deno.stderr.isTerminal(),
  };
}

/** Nobody reads the result any more, and nothing else was done: no news. */
export class ClosedOutput extends CommandError {}

function isClosed(error: unknown): boolean {
  return ["EPIPE", "BrokenPipe"].includes(errorCode(error));
}

/** Why an output takes nothing, as a clause. */
function outputWords(error: unknown): string {
  const code = errorCode(error);
  return OUTPUT_WORDS[code] ?? `the output answered ${code}`;
}

const OUTPUT_WORDS: Readonly<Record<string, string>> = {
  EPIPE: "whoever was to read it has closed the pipe",
  BrokenPipe: "whoever was to read it has closed the pipe",
  ENOSPC: "the disk or device that it goes to is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file that it goes to would be larger than is allowed",
  EIO: "the disk or terminal that it goes to failed",
  EBADF: "the output is not open for writing",
  EAGAIN: "the output takes nothing at the moment, and was set not to wait",
  WouldBlock: "the output takes nothing at the moment, and was set not to wait",
};

function writeAll(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
): void {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}
