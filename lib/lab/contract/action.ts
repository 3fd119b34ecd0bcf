// The types of actions, read off the contract's table.

import type { Branch, ContractField } from "./contract_table.ts";

/** What a key of the contract holds. */
export type FieldValue<Field extends ContractField> = Field extends
  { readonly kind: "choice"; readonly values: readonly (infer Value)[] } ? Value
  : Field extends { readonly kind: "expression" } ? string
  : Field extends { readonly kind: "version" } ? number
  : never;

type ActionOf<One extends Branch> = One extends Branch ?
    & { readonly action: One["action"] }
    & {
      readonly [
        Field in One["fields"][number] as Field["name"]
      ]: FieldValue<Field>;
    }
  : never;

/** A proposal that passed the closed contract. */
export type Action = ActionOf<Branch>;
