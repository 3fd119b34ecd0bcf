// The contract's actions as function definitions, for formats that speak of
// tool calls. The proposals themselves are no function calls (lab Part 8).

import type { JsonObject } from "../agent/json.ts";
import { contractSchema } from "./contract/contract_schema.ts";

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  read: "Shows one of the two managed files.",
  replace: "Replaces one function's return expression.",
  test: "Runs the public cases on the current version.",
  finish: "Declares the current version done.",
};

/** The four actions, each with the JSON Schema of its other keys. */
export function labTools(): {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}[] {
  const branches = contractSchema()["oneOf"] as readonly JsonObject[];
  return branches.map(({ properties, required, ...schema }) => {
    const { action, ...fields } = properties as Record<string, JsonObject>;
    const name = String(action?.["const"]);
    return {
      type: "function",
      function: {
        name,
        description: DESCRIPTIONS[name] ?? "",
        parameters: {
          ...schema,
          properties: fields,
          required: (required as string[]).filter((key) => key !== "action"),
        },
      },
    } as const;
  });
}
