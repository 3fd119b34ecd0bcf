// Parentheses, displays and comprehensions of Python. Only parentheses around
// one expression are allowed in the end, and those leave no node.

import type { Parser } from "./parser.ts";
import { foreign, type PythonExpression } from "./syntax_tree.ts";

/** Clauses of a comprehension: how many, and the expressions in them. */
export interface Clauses {
  readonly count: number;
  readonly children: readonly PythonExpression[];
}

/** Reads a group, a tuple, a generator expression or a yield in parentheses. */
export function parseParenthesised(parser: Parser): PythonExpression {
  const offset = parser.offset;
  parser.expect("(");
  if (parser.accept(")")) return foreign("tuple", offset, 2);
  if (parser.at("yield")) {
    const value = parser.yieldExpression();
    parser.expect(")");
    return value;
  }
  const first = parser.element();
  if (parser.at(",")) {
    return foreign("tuple", offset, 2, elementsUpTo(parser, first, ")"));
  }
  if (isStarred(first)) parser.refuse('","');
  const clauses = parseClauses(parser);
  parser.expect(")");
  return clauses === undefined
    ? first
    : foreign("generator_expression", offset, 1 + clauses.count, [
      first,
      ...clauses.children,
    ]);
}

/** Reads a list or a list comprehension. */
export function parseList(parser: Parser): PythonExpression {
  const offset = parser.offset;
  parser.expect("[");
  if (parser.accept("]")) return foreign("list", offset, 2);
  const first = parser.element();
  return parseComprehension(parser, offset, [first], "]") ??
    foreign("list", offset, 2, elementsUpTo(parser, first, "]"));
}

/** Reads a dictionary, a set, or a comprehension of one of them. */
export function parseBraces(parser: Parser): PythonExpression {
  const offset = parser.offset;
  parser.expect("{");
  if (parser.accept("}")) return foreign("dictionary", offset, 1);
  if (parser.at("**")) return parseDictionary(parser, offset, []);
  const isNamed = parser.atSecond(":=");
  const first = parser.element();
  if (parser.at(":") && !isNamed && !isStarred(first)) {
    parser.expect(":");
    const item = [first, parser.expression()];
    return parseComprehension(parser, offset, item, "}") ??
      parseDictionary(parser, offset, item);
  }
  return parseComprehension(parser, offset, [first], "}") ??
    foreign("set", offset, 1, elementsUpTo(parser, first, "}"));
}

/**
 * Reads `for … in … if …`, as many as there are.
 *
 * @returns Undefined if there is none.
 */
export function parseClauses(parser: Parser): Clauses | undefined {
  let count = 0;
  const children: PythonExpression[] = [];
  while (parser.at("for") || parser.at("async")) {
    parser.accept("async");
    parser.expect("for");
    count++;
    children.push(parseTargets(parser));
    parser.expect("in");
    children.push(parser.disjunction());
    while (parser.accept("if")) children.push(parser.disjunction());
  }
  return count === 0 ? undefined : { count, children };
}

function parseComprehension(
  parser: Parser,
  offset: number,
  item: readonly PythonExpression[],
  closing: "]" | "}",
): PythonExpression | undefined {
  if (item.some(isStarred)) return undefined;
  const clauses = parseClauses(parser);
  if (clauses === undefined) return undefined;
  parser.expect(closing);
  return foreign("comprehension", offset, 1 + clauses.count, [
    ...item,
    ...clauses.children,
  ]);
}

/** Reads the rest of a display; a comma may stand before its end. */
function elementsUpTo(
  parser: Parser,
  first: PythonExpression,
  closing: ")" | "]" | "}",
): readonly PythonExpression[] {
  const elements = [first];
  while (parser.accept(",") && !parser.at(closing)) {
    elements.push(parser.element());
  }
  parser.expect(closing);
  return elements;
}

/** Reads the rest of a dictionary, whose first item may have been read. */
function parseDictionary(
  parser: Parser,
  offset: number,
  firstItem: readonly PythonExpression[],
): PythonExpression {
  const children = [...firstItem];
  let more = firstItem.length === 0 || parser.accept(",");
  while (more && !parser.at("}")) {
    if (parser.accept("**")) children.push(parser.operation(1));
    else {
      children.push(parser.expression());
      parser.expect(":");
      children.push(parser.expression());
    }
    more = parser.accept(",");
  }
  parser.expect("}");
  return foreign("dictionary", offset, 1, children);
}

function parseTargets(parser: Parser): PythonExpression {
  const offset = parser.offset;
  const first = parseTarget(parser);
  if (!parser.at(",")) return first;
  const targets = [first];
  while (parser.accept(",") && !parser.at("in")) {
    targets.push(parseTarget(parser));
  }
  return foreign("tuple", offset, 2, targets);
}

function parseTarget(parser: Parser): PythonExpression {
  const offset = parser.offset;
  const starred = parser.accept("*");
  const target = parser.primary();
  if (!isTarget(target)) parser.refuse("something to assign to before it");
  return starred ? foreign("starred", offset, 2, [target]) : target;
}

/**
 * Whether Python can assign to what was read as an expression. Contexts count
 * one node whether they load or store, so the tree needs no change.
 */
function isTarget(expression: PythonExpression): boolean {
  if (expression.kind === "name") return true;
  if (expression.kind !== "foreign") return false;
  switch (expression.construct) {
    case "attribute":
    case "subscript":
      return true;
    case "tuple":
    case "list":
      return expression.children.every((child) =>
        isStarred(child) ? child.children.every(isTarget) : isTarget(child)
      );
    default:
      return false;
  }
}

function isStarred(
  expression: PythonExpression,
): expression is Extract<PythonExpression, { kind: "foreign" }> {
  return expression.kind === "foreign" && expression.construct === "starred";
}
