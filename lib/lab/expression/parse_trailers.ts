// Calls and subscripts of Python, which are refused in the end.

import { parseClauses } from "./parse_brackets.ts";
import type { Parser } from "./parser.ts";
import { foreign, type PythonExpression } from "./syntax_tree.ts";

/**
 * Reads the arguments of a call.
 *
 * @param callee What is called.
 * @param offset Where the callee begins.
 */
export function parseCall(
  parser: Parser,
  callee: PythonExpression,
  offset: number,
): PythonExpression {
  const openParenthesis = parser.offset;
  parser.expect("(");
  const children = [callee];
  let keywords = 0;
  let doubleStarSeen = false;
  while (!parser.at(")")) {
    const start = parser.offset;
    if (parser.accept("**")) {
      children.push(parser.expression());
      keywords++;
      doubleStarSeen = true;
    } else if (parser.next.kind === "name" && parser.atSecond("=")) {
      parser.expectName();
      parser.expect("=");
      children.push(parser.expression());
      keywords++;
    } else if (parser.at("*")) {
      if (doubleStarSeen) parser.refuse();
      parser.expect("*");
      children.push(foreign("starred", start, 2, [parser.expression()]));
    } else {
      if (keywords > 0) parser.refuse('a keyword and "="');
      const argument = parser.namedExpression();
      const clauses = children.length === 1 ? parseClauses(parser) : undefined;
      if (clauses !== undefined) {
        parser.expect(")");
        const generator = foreign(
          "generator_expression",
          openParenthesis,
          1 + clauses.count,
          [argument, ...clauses.children],
        );
        return foreign("call", offset, 1, [callee, generator]);
      }
      children.push(argument);
    }
    if (!parser.accept(",")) break;
  }
  parser.expect(")");
  return foreign("call", offset, 1 + keywords, children);
}

/**
 * Reads a subscript.
 *
 * @param value What is subscripted.
 * @param offset Where the value begins.
 */
export function parseSubscript(
  parser: Parser,
  value: PythonExpression,
  offset: number,
): PythonExpression {
  parser.expect("[");
  const start = parser.offset;
  // A starred index makes a tuple without a comma.
  let isTuple = parser.at("*");
  const indices = [parseIndex(parser)];
  while (parser.accept(",")) {
    isTuple = true;
    if (parser.at("]")) break;
    indices.push(parseIndex(parser));
  }
  parser.expect("]");
  const index = isTuple ? foreign("tuple", start, 2, indices) : indices[0]!;
  return foreign("subscript", offset, 2, [value, index]);
}

function parseIndex(parser: Parser): PythonExpression {
  const offset = parser.offset;
  if (parser.accept("*")) {
    return foreign("starred", offset, 2, [parser.expression()]);
  }
  const bounds: PythonExpression[] = [];
  if (!parser.at(":")) {
    const isNamed = parser.atSecond(":=");
    const index = parser.namedExpression();
    if (isNamed || !parser.at(":")) return index;
    bounds.push(index);
  }
  parser.expect(":");
  if (!endsBound(parser)) bounds.push(parser.expression());
  if (parser.accept(":") && !endsBound(parser)) {
    bounds.push(parser.expression());
  }
  return foreign("slice", offset, 1, bounds);
}

function endsBound(parser: Parser): boolean {
  return parser.at(":") || parser.at(",") || parser.at("]");
}
