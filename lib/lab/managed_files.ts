// Lab Part 3: the exact bytes of a fresh workspace.

import { admitExpression } from "./expression/admit_expression.ts";
import type { AdmittedExpression } from "./expression/admit_expression.ts";
import type { SourceExpressions } from "./expression/evaluate_cases.ts";
import type { FunctionName } from "./expression/function_names.ts";
import { generateSource } from "./expression/source_wrapper.ts";

/** The two files of a workspace, by their logical names. */
export type ManagedFile = "TASK.txt" | "toy_math.py";

/** What the agent is asked to do. */
export const TASK_TEXT = `\
Repair both functions in toy_math.py using integer expressions.
clamp(x, lo, hi): return lo when x < lo, hi when x > hi, otherwise x.
Inputs satisfy lo <= hi.
total(unit, qty, fee): return the cost of qty units plus one fee.
unit, qty, and fee are nonnegative integers.
Keep function names and parameters unchanged. Do not change tests.
`;

/** Both return expressions, as observations and sources carry them. */
export function expressionTexts(
  expressions: SourceExpressions,
): { readonly clamp: string; readonly total: string } {
  return { clamp: expressions.clamp.text, total: expressions.total.text };
}

/** The broken expressions that every run starts from. */
export const INITIAL_EXPRESSIONS: SourceExpressions = {
  clamp: fixed("clamp", "x"),
  total: fixed("total", "unit + qty + fee"),
};

/** The broken source that every run starts from. */
export const INITIAL_SOURCE: string = generateSource(
  expressionTexts(INITIAL_EXPRESSIONS),
);

function fixed(name: FunctionName, text: string): AdmittedExpression {
  const admission = admitExpression(name, text);
  if (!admission.ok) throw new Error(`${name}: ${admission.message}`);
  return admission.expression;
}
