// Lab Part 4, the table of hard limits. Each constant is the greatest value
// that still passes; units are in the comments, since the table's differ.

/** Most bytes of the whole source, UTF-8. */
export const MAX_SOURCE_BYTES = 4_096;

/** Most bytes of one expression, printable ASCII on one line. */
export const MAX_EXPRESSION_BYTES = 256;

/** Most parentheses open at once, counted over tokens; brackets don't count. */
export const MAX_PARENTHESIS_NESTING = 16;

/** Most decimal digits of one integer token. */
export const MAX_INTEGER_DIGITS = 7;

/** Most AST nodes of one expression, operators and contexts included. */
export const MAX_NODES = 128;

/** Greatest depth of one expression, in expression nodes; the root is 1. */
export const MAX_DEPTH = 16;

/** Greatest absolute value of an input, literal, intermediate or result. */
export const MAX_MAGNITUDE = 1_000_000;

/** Most expression nodes that the interpreter visits for one case. */
export const MAX_VISITS = 256;

/** Most cases in one evaluation. */
export const MAX_CASES = 16;
