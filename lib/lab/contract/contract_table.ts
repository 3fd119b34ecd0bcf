// Lab Part 5, the complete discriminated contract, as one table. The type of an
// action, its schema, the order of checks, the text in the prompt and the JSON
// Schema all follow from it.

/** Most bytes of one proposal (lab Part 5). */
export const MAX_PROPOSAL_BYTES = 2_048;

/** Most arrays and objects open at once in a proposal (lab Part 5). */
export const MAX_PROPOSAL_NESTING = 8;

/** Highest version that a proposal can name (lab Part 5). */
export const MAX_VERSION = 6;

/** A key whose value is one of a closed list of strings. */
export interface ChoiceField {
  readonly name: string;
  readonly kind: "choice";
  readonly values: readonly string[];
  /** The code for a string outside the list. */
  readonly denial: "forbidden_file" | "unknown_function";
  readonly example: string;
}

/** A key whose value is an expression string. */
export interface ExpressionField {
  readonly name: string;
  readonly kind: "expression";
  readonly example: string;
}

/** A key whose value is a workspace version. */
export interface VersionField {
  readonly name: string;
  readonly kind: "version";
  readonly example: number;
}

/** What a key, `action` itself aside, may hold. */
export type ContractField = ChoiceField | ExpressionField | VersionField;

/** One action: its name and the other keys that it takes, all required. */
export interface ContractBranch {
  readonly action: string;
  readonly fields: readonly ContractField[];
}

const VERSION = { name: "version", kind: "version", example: 0 } as const;

/**
 * The four actions. An example shows the shape to a small model, which may copy
 * it: so no example repairs anything, and the expressions that it names are
 * refused.
 */
export const CONTRACT = [
  {
    action: "read",
    fields: [{
      name: "file",
      kind: "choice",
      values: ["TASK.txt", "toy_math.py"],
      denial: "forbidden_file",
      example: "toy_math.py",
    }],
  },
  {
    action: "replace",
    fields: [
      {
        name: "function",
        kind: "choice",
        values: ["clamp", "total"],
        denial: "unknown_function",
        example: "clamp",
      },
      { name: "old", kind: "expression", example: "CURRENT EXPRESSION" },
      { name: "new", kind: "expression", example: "NEW EXPRESSION" },
      VERSION,
    ],
  },
  { action: "test", fields: [] },
  { action: "finish", fields: [VERSION] },
] as const satisfies readonly ContractBranch[];

/** A branch of {@link CONTRACT}. */
export type Branch = (typeof CONTRACT)[number];

/** Name of an action. */
export type ActionName = Branch["action"];

/** The names of the four actions, in the contract's order. */
export const ACTION_NAMES: readonly ActionName[] = CONTRACT.map(
  ({ action }) => action,
);
