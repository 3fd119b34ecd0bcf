// `tinycoder check`: one JSON line asks about one expression or one source, one
// JSON object answers. It lets anyone compare the boundary with a real Python.

import type { JsonObject } from "../agent/json.ts";
import {
  isJsonTreeArray,
  isJsonTreeObject,
  JsonNumber,
  type JsonTree,
  type JsonTreeObject,
  scanJson,
} from "../system/strict_json.ts";
import { quoteSafely } from "../system/safe_text.ts";
import { admitExpression } from "./expression/admit_expression.ts";
import { evaluateExpression } from "./expression/evaluate_expression.ts";
import {
  FUNCTION_PARAMETERS,
  type FunctionName,
  isFunctionName,
} from "./expression/function_names.ts";
import { readSource } from "./expression/source_wrapper.ts";

/**
 * Answers one line of `tinycoder check`; never throws.
 *
 * - `{"function","expr"}` gives `{"ok":true,"nodes","depth"}`; with `"inputs"`,
 *   one integer a parameter, also `"value"` or `"error"`.
 * - `{"source"}` gives `{"ok":true,"expressions":{"clamp","total"}}`.
 * - A refusal is `{"ok":false,"code","message"}`, with `"offset"` where the
 *   fault has a place: in bytes from the start of the expression or source, or
 *   of the line where that is no JSON.
 *
 * @param line One JSON object in UTF-8, without its newline.
 */
export function answerCheckLine(line: Uint8Array): JsonObject {
  const scan = scanJson(line, { maxDepth: MAX_DEPTH });
  if (!scan.ok) {
    const { error, message, offset } = scan;
    return { ok: false, code: error, message, offset };
  }
  if (!isJsonTreeObject(scan.value)) {
    return refuse("not_an_object", "The line is no JSON object");
  }
  return scan.value.has("source")
    ? answerSource(scan.value)
    : answerExpression(scan.value);
}

/** As in a proposal, though two levels are all that a question needs. */
const MAX_DEPTH = 8;

type Question = JsonTreeObject;

function answerSource(question: Question): JsonObject {
  const fault = refuseFields(question, ["source"], []);
  if (fault !== null) return fault;
  const source = question.get("source");
  if (typeof source !== "string") return refuseType("source", "a string");
  const reading = readSource(UTF8.encode(source));
  if (!reading.ok) return { ...reading };
  const { clamp, total } = reading.expressions;
  return { ok: true, expressions: { clamp: clamp.text, total: total.text } };
}

function answerExpression(question: Question): JsonObject {
  const fault = refuseFields(question, ["function", "expr"], ["inputs"]);
  if (fault !== null) return fault;
  const functionName = question.get("function");
  const expr = question.get("expr");
  if (typeof functionName !== "string") {
    return refuseType("function", "a string");
  }
  if (typeof expr !== "string") return refuseType("expr", "a string");
  if (!isFunctionName(functionName)) {
    return refuse(
      "unknown_function",
      `Unknown function ${quoteSafely(functionName, 40)}; ` +
        'there are "clamp" and "total"',
    );
  }
  const inputs = readInputs(functionName, question.get("inputs"));
  if ("refused" in inputs) return inputs.refused;

  const admission = admitExpression(functionName, expr);
  if (!admission.ok) return { ...admission };
  const { root, nodes, depth } = admission.expression;
  if (inputs.values === null) return { ok: true, nodes, depth };
  const parameters = FUNCTION_PARAMETERS[functionName];
  const evaluation = evaluateExpression(root, parameters, inputs.values);
  return evaluation.ok
    ? { ok: true, nodes, depth, value: evaluation.value }
    : { ok: true, nodes, depth, error: evaluation.error };
}

type Inputs =
  | { readonly values: readonly number[] | null }
  | { readonly refused: JsonObject };

function readInputs(
  functionName: FunctionName,
  inputs: JsonTree | undefined,
): Inputs {
  if (inputs === undefined) return { values: null };
  if (!isJsonTreeArray(inputs)) {
    return { refused: refuseType("inputs", "an array of integers") };
  }
  const values: number[] = [];
  for (const input of inputs) {
    if (!(input instanceof JsonNumber) || !INTEGER.test(input.lexeme)) {
      return { refused: refuseType("inputs", "an array of integers") };
    }
    values.push(integerOf(input));
  }
  const count = FUNCTION_PARAMETERS[functionName].length;
  if (values.length !== count) {
    return {
      refused: refuse(
        "invalid_value",
        `"${functionName}" takes ${count} inputs, not ${values.length}`,
      ),
    };
  }
  return { values };
}

/**
 * An integer by its lexeme. One that a double can't hold exactly becomes the
 * nearest limit of those that it can: either way it is over the magnitude that
 * an evaluation takes.
 */
function integerOf({ lexeme }: JsonNumber): number {
  const limit = Number.MAX_SAFE_INTEGER;
  return Math.max(-limit, Math.min(limit, Number(lexeme)));
}

/** The integers of JSON; `-0` is the integer 0, as for Python. */
const INTEGER = /^-?[0-9]+$/;

function refuseFields(
  question: Question,
  required: readonly string[],
  optional: readonly string[],
): JsonObject | null {
  for (const key of required) {
    if (!question.has(key)) {
      return refuse("invalid_fields", `The field "${key}" is missing`);
    }
  }
  for (const key of question.keys()) {
    if (!required.includes(key) && !optional.includes(key)) {
      return refuse("invalid_fields", `Unknown field ${quoteSafely(key, 40)}`);
    }
  }
  return null;
}

function refuseType(field: string, wanted: string): JsonObject {
  return refuse("invalid_type", `The field "${field}" must be ${wanted}`);
}

function refuse(code: string, message: string): JsonObject {
  return { ok: false, code, message };
}

const UTF8 = new TextEncoder();
