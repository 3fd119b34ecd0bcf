// `tinycoder contract`: the closed contract as text, as JSON Schema, or at work.

import { answerContractLine } from "../lab/answer_contract_line.ts";
import { contractSchema } from "../lab/contract/contract_schema.ts";
import { contractText } from "../lab/contract/contract_text.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { answerLines } from "./answer_lines.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Prints the contract, or judges proposals by it. */
export async function contract(
  { options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options["check"]) {
    await answerLines(answerContractLine, "error", terminal);
  } else if (options["jsonSchema"]) {
    terminal.out(`${JSON.stringify(contractSchema(), null, 2)}\n`);
  } else {
    terminal.out(`${contractText().trimEnd()}\n`);
  }
  return EXIT.done;
}
