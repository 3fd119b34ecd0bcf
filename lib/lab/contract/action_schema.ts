// Lab Part 5: exact key sets for each branch, as the last gate before the
// dispatcher. The ordered checks before it choose the code of a denial; a test
// holds both to the same verdict.

import { z } from "../../system/zod.ts";
import type { Action } from "./action.ts";
import { MAX_EXPRESSION_BYTES } from "../expression/limits.ts";
import {
  CONTRACT,
  type ContractBranch,
  type ContractField,
  MAX_VERSION,
} from "./contract_table.ts";

// No code is made from text anywhere in the program; to be said before the
// first schema is built.

/** The strict union of the four actions. */
export const ACTION_SCHEMA: z.ZodType<Action> = z.discriminatedUnion(
  "action",
  // The compiler can't follow a table through a loop; `Action` is read off the
  // same table.
  CONTRACT.map(branchSchema) as [z.ZodObject],
) as unknown as z.ZodType<Action>;

function branchSchema({ action, fields }: ContractBranch): z.ZodObject {
  return z.strictObject({
    action: z.literal(action),
    ...Object.fromEntries(
      fields.map((field) => [field.name, fieldSchema(field)]),
    ),
  });
}

function fieldSchema(field: ContractField): z.ZodType {
  switch (field.kind) {
    case "choice":
      return z.enum(field.values);
    case "expression":
      return z.string().min(1).max(MAX_EXPRESSION_BYTES).regex(/^[ -~]*$/);
    case "version":
      return z.int().min(0).max(MAX_VERSION);
  }
}
