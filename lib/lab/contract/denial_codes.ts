// The stable error codes of refused proposals and actions (lab Part 5: "a
// stable error code"). Prompts, documents and schemas list them from here.

/** Why the bytes of a proposal are no action, in the order of the checks. */
export const PROPOSAL_DENIALS = {
  proposal_too_large: "The proposal has more than 2,048 bytes",
  invalid_json: "The proposal is not exactly one UTF-8 JSON value",
  json_nesting_limit: "Arrays and objects are nested more than 8 levels deep",
  duplicate_key: "An object has the same key twice",
  not_an_object: "The proposal is a JSON value other than an object",
  unknown_action: "The action is none of read, replace, test, finish",
  invalid_fields: "A key is missing, or one is there that the action lacks",
  invalid_type: "A value has the wrong JSON type",
  forbidden_file: "The file is none of the two managed files",
  unknown_function: "The function is none of clamp, total",
  invalid_value: "The version is not a single digit from 0 to 6",
  expression_bounds:
    "An expression string is not 1 to 256 printable ASCII bytes on one line",
} as const;

/** Why a replacement's new expression is not admitted (lab Part 4). */
export const EXPRESSION_DENIALS = {
  expression_syntax: "The text is not one expression of the allowed grammar",
  expression_forbidden_node:
    "The expression uses Python outside the allowed list",
  unknown_name: "A name is not a parameter of the function",
  expression_type: "An operand, condition, branch or result has the wrong type",
  expression_limit:
    "A limit on digits, nesting, nodes, depth or size is passed",
} as const;

/** Why the dispatcher refuses an action in the state that the run is in. */
export const DISPATCH_DENIALS = {
  read_required: "toy_math.py has not been read in this run",
  stale_version: "The version is not the current one",
  old_mismatch: "The old expression is not the current one",
  tests_not_passing:
    "No passing public test belongs to the current version and bytes",
  workspace_conflict: "A managed file was changed from outside; the run stops",
  observation_limit: "The observation has over 2,048 bytes; the run stops",
} as const;

/** What kept an action that had begun from taking effect; the run stops. */
export const INTERRUPTIONS = {
  cancelled: "The run was cancelled before the edit committed",
  time_limit: "A deadline passed before the edit committed",
  harness_error: "The edit could not be written",
} as const;

/** Each code that an observation's `error` can have, with its meaning. */
export const DENIALS = {
  ...PROPOSAL_DENIALS,
  ...EXPRESSION_DENIALS,
  ...DISPATCH_DENIALS,
  ...INTERRUPTIONS,
} as const;

/** Why the bytes of a proposal are no action. */
export type ProposalDenialCode = keyof typeof PROPOSAL_DENIALS;

/** Code of any refusal. */
export type DenialCode = keyof typeof DENIALS;
