// Why an expression isn't admitted. Inside this folder the first fault is
// thrown, since it ends the work wherever it is met; `admitExpression` turns it
// into a value, so that no caller has to catch anything.

/** Stable codes for a refused expression (lab Part 4). */
export type ExpressionCode =
  | "expression_bounds"
  | "expression_syntax"
  | "expression_limit"
  | "expression_forbidden_node"
  | "unknown_name"
  | "expression_type";

/** Why an expression stays outside. */
export interface RefusedExpression {
  readonly ok: false;
  readonly code: ExpressionCode;
  /** One sentence of at most 160 printable ASCII bytes. */
  readonly message: string;
  /** Where, in bytes from the start of the text, if the fault has a place. */
  readonly offset?: number;
}

/**
 * The first fault of an expression. It is no `Error`: a refusal is an ordinary
 * answer, and collecting a stack trace would cost more than finding the fault.
 */
export class Refusal {
  /** The answer that the fault becomes. */
  readonly answer: RefusedExpression;

  /** Takes what {@link RefusedExpression} holds. */
  constructor(code: ExpressionCode, message: string, offset?: number) {
    this.answer = offset === undefined
      ? { ok: false, code, message }
      : { ok: false, code, message, offset };
  }
}

/** Text for a message: quoted, and cut where it is long. */
export function quoted(text: string): string {
  return text.length <= 24 ? `"${text}"` : `"${text.slice(0, 21)}..."`;
}
