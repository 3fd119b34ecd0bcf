// Lab Part 8: the closed contract as the model reads it. It is paid for in
// tokens of a 2,048-token input, at every call.

import { MAX_EXPRESSION_BYTES } from "../expression/limits.ts";
import {
  CONTRACT,
  type ContractBranch,
  type ContractField,
  MAX_VERSION,
} from "./contract_table.ts";

/**
 * The contract for a prompt: one example line for each action, then one line
 * for each key. The same text in every call of every run.
 */
export function contractText(): string {
  return TEXT;
}

const BRANCHES: readonly ContractBranch[] = CONTRACT;

const TEXT = [
  "Answer with one JSON object and nothing else. It has exactly the keys of " +
  "one of these four lines:",
  ...BRANCHES.map(exampleLine),
  ...keyLines(),
].join("\n");

function exampleLine({ action, fields }: ContractBranch): string {
  return JSON.stringify({
    action,
    ...Object.fromEntries(fields.map(({ name, example }) => [name, example])),
  });
}

/** One line for each key; keys that allow the same share theirs. */
function keyLines(): string[] {
  const keysByMeaning = new Map<string, Set<string>>();
  for (const field of BRANCHES.flatMap(({ fields }) => fields)) {
    const meaning = allowedValues(field);
    const keys = keysByMeaning.get(meaning) ?? new Set();
    keysByMeaning.set(meaning, keys.add(field.name));
  }
  return [...keysByMeaning].map(([meaning, keys]) =>
    `${[...keys].join(", ")}: ${meaning}`
  );
}

function allowedValues(field: ContractField): string {
  switch (field.kind) {
    case "choice":
      return field.values.map((value) => JSON.stringify(value)).join(" or ");
    case "expression":
      return `return expressions on one line, 1 to ${MAX_EXPRESSION_BYTES} ` +
        `printable ASCII characters; old is the exact current one`;
    case "version":
      return `the current version, an integer 0 to ${MAX_VERSION} without quotes`;
  }
}
