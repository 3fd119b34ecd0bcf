// Two trees of one shape. The parser reads any Python expression into a
// `PythonExpression`, because what it must refuse is decided only after syntax
// and size. An `IntegerExpression` is what lab Part 4 allows: there a comparison
// can stand only as a condition, so a wrong type can't be written down.
//
// `offset` is where a node begins, in bytes from the start of the text:
// CPython's `col_offset`. Parentheses around a node don't belong to it.

import type { Construct } from "./construct.ts";

/** The binary operators that are allowed. */
export type BinaryOperator = "+" | "-" | "*";

/** The signs that are allowed. */
export type UnaryOperator = "+" | "-";

/** The comparisons that are allowed. */
export type ComparisonOperator = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** A decimal integer, not negative. */
export interface Constant {
  readonly kind: "constant";
  readonly offset: number;
  readonly value: number;
}

/** A name in load context. */
export interface Name {
  readonly kind: "name";
  readonly offset: number;
  readonly name: string;
}

/** A sign before an operand. */
export interface Unary<Operand> {
  readonly kind: "unary";
  readonly offset: number;
  readonly operator: UnaryOperator;
  readonly operand: Operand;
}

/** A sum, difference or product. */
export interface Binary<Operand> {
  readonly kind: "binary";
  readonly offset: number;
  readonly operator: BinaryOperator;
  readonly left: Operand;
  readonly right: Operand;
}

/** One comparison of two operands. */
export interface Comparison<Operand> {
  readonly kind: "comparison";
  readonly offset: number;
  readonly operator: ComparisonOperator;
  readonly left: Operand;
  readonly right: Operand;
}

/** `body if condition else otherwise`. */
export interface Conditional<Condition, Branch> {
  readonly kind: "conditional";
  readonly offset: number;
  readonly condition: Condition;
  readonly body: Branch;
  readonly otherwise: Branch;
}

/** Python that lab Part 4 doesn't allow, with what counting its size needs. */
export interface Foreign {
  readonly kind: "foreign";
  readonly offset: number;
  readonly construct: Construct;
  /**
   * AST nodes that are this node's own: itself, and its contexts, operators,
   * keywords, parameters and comprehension clauses, which aren't expressions.
   */
  readonly ownNodes: number;
  readonly children: readonly PythonExpression[];
}

/** An integer expression as lab Part 4 allows it. */
export type IntegerExpression =
  | Constant
  | Name
  | Unary<IntegerExpression>
  | Binary<IntegerExpression>
  | Conditional<BooleanExpression, IntegerExpression>;

/** A Boolean expression as lab Part 4 allows it. */
export type BooleanExpression = Comparison<IntegerExpression>;

/** Any Python expression that fits on a line. */
export type PythonExpression =
  | Constant
  | Name
  | Unary<PythonExpression>
  | Binary<PythonExpression>
  | Comparison<PythonExpression>
  | Conditional<PythonExpression, PythonExpression>
  | Foreign;

/** Makes a node of Python that isn't allowed. */
export function foreign(
  construct: Construct,
  offset: number,
  ownNodes: number,
  children: readonly PythonExpression[] = [],
): Foreign {
  return { kind: "foreign", offset, construct, ownNodes, children };
}
