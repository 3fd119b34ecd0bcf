// The contract as JSON Schema, for programs that propose.

import type { JsonObject } from "../../agent/json.ts";
import { MAX_EXPRESSION_BYTES } from "../expression/limits.ts";
import {
  CONTRACT,
  type ContractBranch,
  type ContractField,
  MAX_PROPOSAL_BYTES,
  MAX_PROPOSAL_NESTING,
  MAX_VERSION,
} from "./contract_table.ts";

/**
 * The contract in JSON Schema 2020-12. What a schema can't say stands in its
 * description: bytes, nesting, duplicate keys, and that a version is written as
 * one digit (to JSON Schema, `1.0` is an integer too).
 */
export function contractSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Action",
    description: `One action of the lab task. A proposal is this one object ` +
      `as UTF-8 JSON with nothing but JSON whitespace around it: at most ` +
      `${MAX_PROPOSAL_BYTES} bytes, at most ${MAX_PROPOSAL_NESTING} levels ` +
      `of nesting, no key twice.`,
    oneOf: CONTRACT.map(branchSchema),
  };
}

function branchSchema({ action, fields }: ContractBranch): JsonObject {
  return {
    type: "object",
    properties: {
      action: { const: action },
      ...Object.fromEntries(
        fields.map((field) => [field.name, fieldSchema(field)]),
      ),
    },
    required: ["action", ...fields.map(({ name }) => name)],
    additionalProperties: false,
  };
}

function fieldSchema(field: ContractField): JsonObject {
  switch (field.kind) {
    case "choice":
      return { enum: field.values };
    case "expression":
      return {
        description: "A return expression: printable ASCII on one line.",
        type: "string",
        minLength: 1,
        maxLength: MAX_EXPRESSION_BYTES,
        // Without an anchor at the end, which in some dialects of regular
        // expressions lets a final line feed through.
        not: { pattern: "[^ -~]" },
      };
    case "version":
      return {
        description: "A workspace version, written as one digit.",
        type: "integer",
        minimum: 0,
        maximum: MAX_VERSION,
      };
  }
}
