// Python's binary operators and comparisons: how tightly they bind, and which
// of them lab Part 4 allows.

import type { Construct } from "./construct.ts";
import type { BinaryOperator, ComparisonOperator } from "./syntax_tree.ts";
import type { TokenCursor } from "./token_cursor.ts";

/** A binary operator: its level, and itself if allowed, else its construct. */
export type BinaryEntry =
  & {
    /** 1 binds loosest. */
    readonly level: number;
  }
  & ({ readonly allowed: BinaryOperator } | { readonly construct: Construct });

/** The binary operators that are left-associative: all but `**`. */
export const BINARY_OPERATORS: ReadonlyMap<string, BinaryEntry> = new Map<
  string,
  BinaryEntry
>([
  ["|", { level: 1, construct: "bitwise_operator" }],
  ["^", { level: 2, construct: "bitwise_operator" }],
  ["&", { level: 3, construct: "bitwise_operator" }],
  ["<<", { level: 4, construct: "bitwise_operator" }],
  [">>", { level: 4, construct: "bitwise_operator" }],
  ["+", { level: 5, allowed: "+" }],
  ["-", { level: 5, allowed: "-" }],
  ["*", { level: 6, allowed: "*" }],
  ["/", { level: 6, construct: "division" }],
  ["//", { level: 6, construct: "division" }],
  ["%", { level: 6, construct: "remainder" }],
  ["@", { level: 6, construct: "matrix_product" }],
]);

/**
 * Consumes a comparison operator if one is next.
 *
 * @returns The operator if allowed, its construct if not, else undefined.
 */
export function takeComparisonOperator(
  cursor: TokenCursor,
): ComparisonOperator | "identity_test" | "membership_test" | undefined {
  if (!cursor.isNext("symbol")) return undefined;
  const { text } = cursor.next;
  switch (text) {
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "==":
    case "!=":
      cursor.take();
      return text;
    case "is":
      cursor.take();
      cursor.accept("not");
      return "identity_test";
    case "not":
      if (!cursor.atSecond("in")) return undefined;
      cursor.take();
      cursor.take();
      return "membership_test";
    case "in":
      cursor.take();
      return "membership_test";
    default:
      return undefined;
  }
}
