// Lab Part 4, the interpreter: a mapping of operations that are trusted, each
// with operands that were checked before and a result that is checked after.
// Operands of at most a million keep one product within 10^12, far inside what
// a double holds exactly, before its check refuses it.

import { MAX_MAGNITUDE, MAX_VISITS } from "./limits.ts";
import type {
  BinaryOperator,
  BooleanExpression,
  ComparisonOperator,
  IntegerExpression,
  UnaryOperator,
} from "./syntax_tree.ts";

/** How an evaluation ends early; the case's bounded error (lab Part 5). */
export type EvaluationError = "magnitude_limit" | "visit_limit";

/** What {@link evaluateExpression} finds. */
export type Evaluation =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly error: EvaluationError };

/**
 * Interprets an expression for one case.
 *
 * Every input counts toward the magnitude limit, used or not. Each visit of an
 * expression node is one visit; a branch that isn't selected isn't visited.
 *
 * @param root An admitted expression's root, or a tree of the same type.
 * @param parameters The parameters' names, in order.
 * @param inputs Their values, in the same order.
 * @throws {TypeError} If an input is no exact integer.
 * @throws {RangeError} If there are more or fewer inputs than parameters, or
 *   the tree has a name that is no parameter.
 */
export function evaluateExpression(
  root: IntegerExpression,
  parameters: readonly string[],
  inputs: readonly number[],
): Evaluation {
  checkInputs(parameters, inputs);
  if (inputs.some(isOutsideMagnitude)) return MAGNITUDE_LIMIT;
  try {
    const value = new Interpreter(parameters, inputs).integer(root);
    return { ok: true, value };
  } catch (thrown) {
    if (thrown === MAGNITUDE_LIMIT) return MAGNITUDE_LIMIT;
    if (thrown === VISIT_LIMIT) return VISIT_LIMIT;
    throw thrown;
  }
}

type Limit = Extract<Evaluation, { ok: false }>;

const MAGNITUDE_LIMIT: Limit = { ok: false, error: "magnitude_limit" };
const VISIT_LIMIT: Limit = { ok: false, error: "visit_limit" };

class Interpreter {
  readonly #parameters: readonly string[];
  readonly #inputs: readonly number[];
  #visits = 0;

  constructor(parameters: readonly string[], inputs: readonly number[]) {
    this.#parameters = parameters;
    this.#inputs = inputs;
  }

  integer(node: IntegerExpression): number {
    this.#countVisit();
    switch (node.kind) {
      case "constant":
        return bounded(node.value);
      case "name":
        return this.#input(node.name);
      case "unary":
        return bounded(UNARY[node.operator](this.integer(node.operand)));
      case "binary": {
        const left = this.integer(node.left);
        const right = this.integer(node.right);
        return bounded(BINARY[node.operator](left, right));
      }
      case "conditional":
        return this.integer(
          this.#boolean(node.condition) ? node.body : node.otherwise,
        );
    }
  }

  #boolean(node: BooleanExpression): boolean {
    this.#countVisit();
    const left = this.integer(node.left);
    const right = this.integer(node.right);
    return COMPARISON[node.operator](left, right);
  }

  /** Also keeps the recursion shallow, whatever tree is given. */
  #countVisit(): void {
    if (++this.#visits > MAX_VISITS) throw VISIT_LIMIT;
  }

  #input(name: string): number {
    const value = this.#inputs[this.#parameters.indexOf(name)];
    if (value === undefined) {
      throw new RangeError(`Cannot evaluate "${name}": it is no parameter`);
    }
    return bounded(value);
  }
}

const UNARY: Readonly<Record<UnaryOperator, (operand: number) => number>> = {
  "+": (operand) => operand,
  "-": (operand) => -operand,
};

const BINARY: Readonly<
  Record<BinaryOperator, (left: number, right: number) => number>
> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
};

const COMPARISON: Readonly<
  Record<ComparisonOperator, (left: number, right: number) => boolean>
> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
};

/** The value if it is within the limit, with one zero instead of two. */
function bounded(value: number): number {
  if (isOutsideMagnitude(value)) throw MAGNITUDE_LIMIT;
  return value + 0;
}

function isOutsideMagnitude(value: number): boolean {
  return Math.abs(value) > MAX_MAGNITUDE;
}

function checkInputs(
  parameters: readonly string[],
  inputs: readonly number[],
): void {
  if (inputs.length !== parameters.length) {
    throw new RangeError(
      `Cannot evaluate with ${inputs.length} inputs: ` +
        `there are ${parameters.length} parameters`,
    );
  }
  for (const input of inputs) {
    if (!Number.isSafeInteger(input)) {
      throw new TypeError(`Cannot evaluate with ${input}: it is no integer`);
    }
  }
}
