// Lab Part 4: what may become a return expression. The checks run in this
// order, and the first that fails decides the code:
//
// 1. `expression_bounds`: 1 to 256 bytes of printable ASCII on one line.
// 2. `expression_syntax`, `expression_limit`: tokens of the whole text, with
//    digits and parentheses; the leftmost fault.
// 3. `expression_syntax`: Python's grammar over the whole text.
// 4. `expression_limit`: nodes, then depth.
// 5. `expression_forbidden_node`, `unknown_name`, `expression_limit`: what may
//    stand in an expression at all; the first fault of one pre-order walk, a
//    condition before its branches, as Python evaluates them.
// 6. `expression_type`: how it fits together; the first misfit of that walk.
//
// What is made of forbidden parts has no type that could be judged, hence 6
// comes after 5.

import { CONSTRUCT_NAMES } from "./construct.ts";
import { FUNCTION_PARAMETERS, type FunctionName } from "./function_names.ts";
import { lexExpression } from "./lexer.ts";
import { MAX_MAGNITUDE } from "./limits.ts";
import { measureTree } from "./measure_tree.ts";
import { parseExpression } from "./parser.ts";
import { quoted, Refusal, type RefusedExpression } from "./refusal.ts";
import type { IntegerExpression, PythonExpression } from "./syntax_tree.ts";
import { refuseTextBounds } from "./text_bounds.ts";

/** An expression within the boundary; only {@link admitExpression} makes one. */
export interface AdmittedExpression {
  /** Never there at run time: it keeps other objects from having this type. */
  readonly admitted: unique symbol;
  readonly functionName: FunctionName;
  /** As written. */
  readonly text: string;
  readonly root: IntegerExpression;
  /** AST nodes, counted as CPython's `ast.walk` does. */
  readonly nodes: number;
  /** Expression nodes on the longest way down. */
  readonly depth: number;
}

/** What {@link admitExpression} decides. */
export type Admission =
  | { readonly ok: true; readonly expression: AdmittedExpression }
  | RefusedExpression;

/**
 * Decides whether a text may be a function's return expression.
 *
 * @param functionName The function, whose parameters are the known names.
 * @param text The expression as it would stand after `return `.
 */
export function admitExpression(
  functionName: FunctionName,
  text: string,
): Admission {
  const outOfBounds = refuseTextBounds(text);
  if (outOfBounds !== null) return outOfBounds;
  try {
    const tree = parseExpression(lexExpression(text));
    const { nodes, depth } = measureTree(tree);
    const root = new Walk(functionName).admit(tree);
    const expression = { functionName, text, root, nodes, depth };
    return { ok: true, expression: expression as AdmittedExpression };
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.answer;
    throw thrown;
  }
}

type ValueType = "integer" | "Boolean";

/** The one walk over a measured tree. */
class Walk {
  readonly #functionName: FunctionName;
  readonly #parameters: readonly string[];
  #misfit: Refusal | undefined;

  constructor(functionName: FunctionName) {
    this.#functionName = functionName;
    this.#parameters = FUNCTION_PARAMETERS[functionName];
  }

  admit(root: PythonExpression): IntegerExpression {
    this.#visit(root, "integer");
    if (this.#misfit !== undefined) throw this.#misfit;
    // Without foreign nodes and misfits the two trees are the same.
    return root as IntegerExpression;
  }

  /** Recursion is safe here: the tree's depth has been checked. */
  #visit(node: PythonExpression, wanted: ValueType): void {
    switch (node.kind) {
      case "foreign":
        throw new Refusal(
          "expression_forbidden_node",
          `${CONSTRUCT_NAMES[node.construct]} is not allowed; ` +
            `use integers, ${
              this.#parameters.join(", ")
            }, + - *, one comparison, if-else`,
          node.offset,
        );
      case "constant":
        this.#checkLiteral(node.value, node.offset);
        return this.#fit(node, "integer", wanted);
      case "name":
        this.#checkName(node.name, node.offset);
        return this.#fit(node, "integer", wanted);
      case "unary":
        this.#fit(node, "integer", wanted);
        return this.#visit(node.operand, "integer");
      case "binary":
        this.#fit(node, "integer", wanted);
        this.#visit(node.left, "integer");
        return this.#visit(node.right, "integer");
      case "comparison":
        this.#fit(node, "Boolean", wanted);
        this.#visit(node.left, "integer");
        return this.#visit(node.right, "integer");
      case "conditional":
        this.#fit(node, "integer", wanted);
        this.#visit(node.condition, "Boolean");
        this.#visit(node.body, "integer");
        return this.#visit(node.otherwise, "integer");
    }
  }

  #checkLiteral(value: number, offset: number): void {
    if (value <= MAX_MAGNITUDE) return;
    throw new Refusal(
      "expression_limit",
      `The integer ${value} is over ${MAX_MAGNITUDE}`,
      offset,
    );
  }

  #checkName(name: string, offset: number): void {
    if (this.#parameters.includes(name)) return;
    throw new Refusal(
      "unknown_name",
      `Unknown name ${quoted(name)}; ` +
        `"${this.#functionName}" has ${this.#parameters.join(", ")}`,
      offset,
    );
  }

  #fit(node: PythonExpression, type: ValueType, wanted: ValueType): void {
    if (type === wanted || this.#misfit !== undefined) return;
    this.#misfit = new Refusal(
      "expression_type",
      wanted === "integer"
        ? "A comparison stands where an integer must stand"
        : "An integer stands where a comparison must stand",
      node.offset,
    );
  }
}
