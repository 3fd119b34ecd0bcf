// `tinycoder plan`: what an acquisition would bring, without doing any of it.

import { LAB_LIMITS } from "../acquire/limits.ts";
import { planJson, planText } from "../acquire/plan_text.ts";
import { EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles } from "../system/files.ts";
import type { Invocation } from "./command.ts";
import { declaredPlan } from "./declared_plan.ts";
import { optionText, refusalError } from "./refusal_error.ts";
import type { Terminal } from "./terminal.ts";

/** Prints the acquisition plan. */
export function plan(
  { options }: Invocation,
  terminal: Terminal,
): ExitCode {
  const declared = declaredPlan(diskFiles, optionText(options["checkpoint"]));
  if (!declared.ok) throw refusalError(declared.refusal);
  terminal.out(
    options["json"]
      ? `${JSON.stringify(planJson(declared.plan, LAB_LIMITS))}\n`
      : planText(declared.plan, LAB_LIMITS),
  );
  return EXIT.done;
}
