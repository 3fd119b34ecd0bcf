// Lab Part 4 rejects all other nodes. What each is called to the person or
// model that wrote it, so that a refusal says what to leave out.

/** Python constructs that are recognised and refused, with their names. */
export const CONSTRUCT_NAMES = {
  assignment_expression: 'An assignment expression ":="',
  attribute: "Attribute access",
  await: '"await"',
  bitwise_operator: "A bitwise operator",
  boolean_constant: "A Boolean constant",
  boolean_operator: 'A Boolean operator "and" or "or"',
  bytes: "A bytes literal",
  call: "A call",
  chained_comparison: "A chained comparison",
  comprehension: "A comprehension",
  dictionary: "A dictionary",
  division: "Division",
  ellipsis: 'The ellipsis "..."',
  float: "A float",
  format_field: "A field of a formatted string",
  formatted_string: "A formatted string",
  generator_expression: "A generator expression",
  identity_test: 'The identity test "is"',
  lambda: "A lambda",
  list: "A list",
  matrix_product: 'The matrix product "@"',
  membership_test: 'The membership test "in"',
  none: '"None"',
  not_operator: 'The Boolean operator "not"',
  power: 'The power operator "**"',
  remainder: 'The remainder operator "%"',
  set: "A set",
  slice: "A slice",
  starred: "A starred expression",
  string: "A string",
  subscript: "A subscript",
  tuple: "A tuple",
  yield: '"yield"',
} as const;

/** A Python construct that is recognised and refused. */
export type Construct = keyof typeof CONSTRUCT_NAMES;
