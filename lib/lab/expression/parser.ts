// A precedence parser for the expressions of Python 3.13, the version that the
// lab pins, as `ast.parse(text, mode="eval")` reads them. It has to know all of
// them, since a forbidden construct is named only in an expression whose syntax
// and size are in order. This file holds the operators; atoms, brackets,
// lambdas, strings and what follows an atom have a file each.
//
// Where CPython still reads a string differently, `parse_strings.ts` says so.

import { BINARY_OPERATORS, takeComparisonOperator } from "./operators.ts";
import { parseAtom, parseName } from "./parse_atom.ts";
import { parseLambda } from "./parse_lambda.ts";
import { parseCall, parseSubscript } from "./parse_trailers.ts";
import { foreign, type PythonExpression } from "./syntax_tree.ts";
import type { Token } from "./token.ts";
import { TokenCursor } from "./token_cursor.ts";

/**
 * Reads the tokens of one expression, all of them.
 *
 * @throws {import("./refusal.ts").Refusal} `expression_syntax`, at the first
 *   token that fits no expression.
 */
export function parseExpression(tokens: readonly Token[]): PythonExpression {
  const parser = new Parser(tokens);
  const offset = parser.offset;
  const first = parser.expression();
  if (!parser.at(",")) return parser.finish(first);
  const items = [first];
  while (parser.accept(",") && parser.next.kind !== "end") {
    items.push(parser.expression());
  }
  return parser.finish(foreign("tuple", offset, 2, items));
}

/** Python's grammar from `expression` down to atoms, a method a level. */
export class Parser extends TokenCursor {
  /** Hands the whole expression back if no token is left. */
  finish(whole: PythonExpression): PythonExpression {
    return this.isNext("end") ? whole : this.refuse();
  }

  /** A conditional, a lambda, or anything that binds tighter. */
  expression(): PythonExpression {
    const offset = this.offset;
    if (this.at("lambda")) return parseLambda(this);
    const body = this.disjunction();
    if (!this.accept("if")) return body;
    const condition = this.disjunction();
    this.expect("else");
    const otherwise = this.expression();
    return { kind: "conditional", offset, condition, body, otherwise };
  }

  /** An assignment expression, where Python takes one, or an expression. */
  namedExpression(): PythonExpression {
    const { kind, offset } = this.next;
    if (kind !== "name" || !this.atSecond(":=")) return this.expression();
    const name = parseName(this);
    this.expect(":=");
    return foreign("assignment_expression", offset, 1, [
      name,
      this.expression(),
    ]);
  }

  /** An element of a display: possibly starred. */
  element(): PythonExpression {
    const offset = this.offset;
    if (!this.accept("*")) return this.namedExpression();
    return foreign("starred", offset, 2, [this.operation(1)]);
  }

  /** What may follow `yield` or stand in a field: a tuple needs no brackets. */
  starExpressions(): PythonExpression {
    const offset = this.offset;
    const items: PythonExpression[] = [];
    do {
      if (items.length > 0 && this.#endsStarExpressions()) break;
      const start = this.offset;
      items.push(
        this.accept("*")
          ? foreign("starred", start, 2, [this.operation(1)])
          : this.expression(),
      );
      if (items.length === 1 && !this.at(",")) return items[0]!;
    } while (this.accept(","));
    return foreign("tuple", offset, 2, items);
  }

  /** `or` and what binds tighter. */
  disjunction(): PythonExpression {
    return this.#booleanOperation(
      "or",
      () => this.#booleanOperation("and", () => this.#inversion()),
    );
  }

  /** Binary operators from a level on (1 is `|`), left-associative. */
  operation(level: number): PythonExpression {
    const offset = this.offset;
    let left = this.#factor();
    for (;;) {
      const operator = this.isNext("symbol")
        ? BINARY_OPERATORS.get(this.next.text)
        : undefined;
      if (operator === undefined || operator.level < level) return left;
      this.take();
      const right = this.operation(operator.level + 1);
      left = "construct" in operator
        ? foreign(operator.construct, offset, 2, [left, right])
        : { kind: "binary", offset, operator: operator.allowed, left, right };
    }
  }

  /** An atom and the calls, subscripts and attributes that follow it. */
  primary(): PythonExpression {
    const offset = this.offset;
    let value = parseAtom(this);
    for (;;) {
      if (this.at("(")) value = parseCall(this, value, offset);
      else if (this.at("[")) value = parseSubscript(this, value, offset);
      else if (this.accept(".")) {
        this.expectName();
        value = foreign("attribute", offset, 2, [value]);
      } else return value;
    }
  }

  /** `yield` and what it yields. */
  yieldExpression(): PythonExpression {
    const offset = this.offset;
    this.expect("yield");
    if (this.accept("from")) {
      return foreign("yield", offset, 1, [this.expression()]);
    }
    return this.#endsStarExpressions()
      ? foreign("yield", offset, 1)
      : foreign("yield", offset, 1, [this.starExpressions()]);
  }

  #endsStarExpressions(): boolean {
    const { kind } = this.next;
    return kind === "field_close" || kind === "field_format" ||
      this.at(")") || this.at("=") || this.at("!");
  }

  #booleanOperation(
    operator: "and" | "or",
    operand: () => PythonExpression,
  ): PythonExpression {
    const offset = this.offset;
    const first = operand();
    if (!this.at(operator)) return first;
    const operands = [first];
    while (this.accept(operator)) operands.push(operand());
    return foreign("boolean_operator", offset, 2, operands);
  }

  #inversion(): PythonExpression {
    const offset = this.offset;
    if (!this.accept("not")) return this.#comparison();
    return foreign("not_operator", offset, 2, [this.#inversion()]);
  }

  #comparison(): PythonExpression {
    const offset = this.offset;
    const left = this.operation(1);
    const operator = takeComparisonOperator(this);
    if (operator === undefined) return left;
    const right = this.operation(1);
    const more: PythonExpression[] = [];
    while (takeComparisonOperator(this) !== undefined) {
      more.push(this.operation(1));
    }
    if (more.length > 0) {
      const operands = [left, right, ...more];
      return foreign("chained_comparison", offset, operands.length, operands);
    }
    if (operator === "identity_test" || operator === "membership_test") {
      return foreign(operator, offset, 2, [left, right]);
    }
    return { kind: "comparison", offset, operator, left, right };
  }

  #factor(): PythonExpression {
    const offset = this.offset;
    for (const operator of ["+", "-"] as const) {
      if (this.accept(operator)) {
        return { kind: "unary", offset, operator, operand: this.#factor() };
      }
    }
    if (this.accept("~")) {
      return foreign("bitwise_operator", offset, 2, [this.#factor()]);
    }
    const base = this.#awaited();
    if (!this.accept("**")) return base;
    return foreign("power", offset, 2, [base, this.#factor()]);
  }

  #awaited(): PythonExpression {
    const offset = this.offset;
    if (!this.accept("await")) return this.primary();
    return foreign("await", offset, 1, [this.primary()]);
  }
}
