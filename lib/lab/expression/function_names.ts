// Lab Part 3: the two functions, whose names and parameters never change.

/** The parameters of each function, in order. */
export const FUNCTION_PARAMETERS = {
  clamp: ["x", "lo", "hi"],
  total: ["unit", "qty", "fee"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of the two functions. */
export type FunctionName = keyof typeof FUNCTION_PARAMETERS;

/** The two functions in the order in which the source defines them. */
export const FUNCTION_NAMES = ["clamp", "total"] as const satisfies readonly [
  FunctionName,
  FunctionName,
];

/** Whether a text names one of the two functions. */
export function isFunctionName(text: string): text is FunctionName {
  return text === "clamp" || text === "total";
}
