// Lab Parts 5 and 6: fixtures are cases of one function, positional inputs and
// an expected value; a test returns each with what the source made of it.

import type { AdmittedExpression } from "./admit_expression.ts";
import {
  evaluateExpression,
  type EvaluationError,
} from "./evaluate_expression.ts";
import { FUNCTION_PARAMETERS, type FunctionName } from "./function_names.ts";
import { MAX_CASES } from "./limits.ts";

/** Both return expressions of a source. */
export type SourceExpressions = Readonly<
  Record<FunctionName, AdmittedExpression>
>;

/** A fixture. */
export type Case = {
  readonly function: FunctionName;
  /** Positional, one a parameter. */
  readonly inputs: readonly number[];
  readonly expected: number;
};

/** A fixture with what the source made of it. */
export type CaseResult =
  & Case
  & ({ readonly actual: number } | { readonly error: EvaluationError });

/**
 * Evaluates every case. Whether one passes is left to the reader of the result:
 * an `actual` that equals `expected`.
 *
 * @param expressions Both expressions of one source.
 * @param cases At most {@link MAX_CASES}.
 * @throws {RangeError} If there are more cases, or a case's inputs don't match
 *   its function's parameters.
 * @throws {TypeError} If an input is no exact integer.
 */
export function evaluateCases(
  expressions: SourceExpressions,
  cases: readonly Case[],
): readonly CaseResult[] {
  if (cases.length > MAX_CASES) {
    throw new RangeError(
      `Cannot evaluate ${cases.length} cases: at most ${MAX_CASES} are allowed`,
    );
  }
  return cases.map(({ function: functionName, inputs, expected }) => {
    const evaluation = evaluateExpression(
      expressions[functionName].root,
      FUNCTION_PARAMETERS[functionName],
      inputs,
    );
    return evaluation.ok
      ? { function: functionName, inputs, expected, actual: evaluation.value }
      : { function: functionName, inputs, expected, error: evaluation.error };
  });
}
