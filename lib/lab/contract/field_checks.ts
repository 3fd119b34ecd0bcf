// The checks on values, in stages: all types, then names on closed lists, then
// versions, then the bounds of expression strings; within a stage in the
// table's order.

import { quoteSafely } from "../../system/safe_text.ts";
import {
  isJsonTreeArray,
  JsonNumber,
  type JsonTree,
  type JsonTreeObject,
} from "../../system/strict_json.ts";
import { MAX_EXPRESSION_BYTES } from "../expression/limits.ts";
import { type ContractField, MAX_VERSION } from "./contract_table.ts";
import type { ProposalDenialCode } from "./denial_codes.ts";

/** What is wrong with a value. */
export interface FieldFault {
  readonly error: ProposalDenialCode;
  readonly message: string;
}

/**
 * The first fault among a proposal's values.
 *
 * @param proposal An object that has exactly the fields' keys and `action`.
 */
export function findFieldFault(
  proposal: JsonTreeObject,
  fields: readonly ContractField[],
): FieldFault | undefined {
  for (const check of STAGES) {
    for (const field of fields) {
      const fault = check(field, proposal.get(field.name)!);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** A value that passed, as the action holds it. */
export function plainField(value: JsonTree | undefined): unknown {
  return value instanceof JsonNumber ? Number(value.lexeme) : value;
}

/** What a JSON value is, for a message; at most 48 bytes. */
export function kindOf(value: JsonTree): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return `the string ${quoteSafely(value, 36)}`;
  if (value instanceof JsonNumber) return `the number ${shorten(value.lexeme)}`;
  return isJsonTreeArray(value) ? "an array" : "an object";
}

type Check = (field: ContractField, value: JsonTree) => FieldFault | undefined;

const STAGES: readonly Check[] = [
  typeFault,
  choiceFault,
  versionFault,
  boundsFault,
];

function typeFault(
  { name, kind }: ContractField,
  value: JsonTree,
): FieldFault | undefined {
  const [fits, wanted] = kind === "version"
    ? [isInteger(value), "an integer"]
    : [typeof value === "string", "a string"];
  if (fits) return undefined;
  return {
    error: "invalid_type",
    message: `"${name}" must be ${wanted}, not ${kindOf(value)}`,
  };
}

/** Judged by the lexeme: `1.0` and `1e0` are no integers, Booleans neither. */
function isInteger(value: JsonTree): boolean {
  return value instanceof JsonNumber && /^-?[0-9]+$/.test(value.lexeme);
}

function choiceFault(
  field: ContractField,
  value: JsonTree,
): FieldFault | undefined {
  if (field.kind !== "choice" || typeof value !== "string") return undefined;
  if (field.values.includes(value)) return undefined;
  // The string isn't quoted: it may be a path of this machine, and observations
  // go to the model.
  const allowed = field.values.map((one) => `"${one}"`).join(" or ");
  return {
    error: field.denial,
    message: `"${field.name}" must be ${allowed}`,
  };
}

/** One digit, so that neither `-0` nor a 30-digit integer is ever converted. */
function versionFault(
  { name, kind }: ContractField,
  value: JsonTree,
): FieldFault | undefined {
  if (kind !== "version" || !(value instanceof JsonNumber)) return undefined;
  const { lexeme } = value;
  if (lexeme.length === 1 && Number(lexeme) <= MAX_VERSION) return undefined;
  return {
    error: "invalid_value",
    message: `"${name}" must be one digit from 0 to ${MAX_VERSION}, not ` +
      shorten(lexeme),
  };
}

function boundsFault(
  { name, kind }: ContractField,
  value: JsonTree,
): FieldFault | undefined {
  if (kind !== "expression" || typeof value !== "string") return undefined;
  const deny = (message: string) =>
    ({ error: "expression_bounds", message: `"${name}" ${message}` }) as const;
  const outside = /[^ -~]/u.exec(value);
  if (outside !== null) {
    return deny(
      `must be printable ASCII on one line, but has ` +
        `${quoteSafely(outside[0], 16)} after ${outside.index} characters`,
    );
  }
  if (value.length >= 1 && value.length <= MAX_EXPRESSION_BYTES) {
    return undefined;
  }
  return deny(
    `must have 1 to ${MAX_EXPRESSION_BYTES} characters, not ${value.length}`,
  );
}

function shorten(lexeme: string): string {
  return lexeme.length <= 24 ? lexeme : `${lexeme.slice(0, 23)}…`;
}
