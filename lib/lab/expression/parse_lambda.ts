// Lambdas of Python, which are refused in the end.

import type { Parser } from "./parser.ts";
import { foreign, type PythonExpression } from "./syntax_tree.ts";

/** Reads a lambda. */
export function parseLambda(parser: Parser): PythonExpression {
  const offset = parser.offset;
  parser.expect("lambda");
  const parameters = parseParameters(parser);
  parser.expect(":");
  const body = parser.expression();
  return foreign("lambda", offset, LAMBDA_AND_ARGUMENTS + parameters.count, [
    ...parameters.defaults,
    body,
  ]);
}

const LAMBDA_AND_ARGUMENTS = 2;

interface Parameters {
  readonly count: number;
  readonly defaults: readonly PythonExpression[];
}

/** Reads parameters up to the colon, in the order that Python demands. */
function parseParameters(parser: Parser): Parameters {
  const defaults: PythonExpression[] = [];
  let count = 0;
  let slashSeen = false;
  let starSeen = false;
  let more = true;
  while (more && !parser.at(":")) {
    if (parser.at("/")) {
      if (count === 0 || slashSeen || starSeen) parser.refuse();
      parser.expect("/");
      slashSeen = true;
    } else if (parser.accept("**")) {
      parser.expectName();
      parser.accept(",");
      return { count: count + 1, defaults };
    } else if (parser.at("*")) {
      if (starSeen) parser.refuse();
      parser.expect("*");
      starSeen = true;
      if (parser.accept(",")) {
        if (parser.next.kind !== "name") parser.refuse("a name");
        continue;
      }
      parser.expectName();
      count++;
    } else {
      parser.expectName();
      count++;
      if (parser.accept("=")) defaults.push(parser.expression());
      else if (defaults.length > 0 && !starSeen) parser.refuse('"="');
    }
    more = parser.accept(",");
  }
  return { count, defaults };
}
