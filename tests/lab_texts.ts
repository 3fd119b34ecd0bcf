// What the lab prescribes, copied by hand, with digests that other programs
// computed: the tests' own measure, which shares nothing with the program.

/** TASK.txt (lab Part 3). */
export const TASK_TXT =
  "Repair both functions in toy_math.py using integer expressions.\n" +
  "clamp(x, lo, hi): return lo when x < lo, hi when x > hi, otherwise x.\n" +
  "Inputs satisfy lo <= hi.\n" +
  "total(unit, qty, fee): return the cost of qty units plus one fee.\n" +
  "unit, qty, and fee are nonnegative integers.\n" +
  "Keep function names and parameters unchanged. Do not change tests.\n";

/** toy_math.py at versions 0, 1 and 2 of the scripted baseline. */
export const TOY_MATH = [
  "def clamp(x, lo, hi):\n    return x\n\n" +
  "def total(unit, qty, fee):\n    return unit + qty + fee\n",
  "def clamp(x, lo, hi):\n" +
  "    return lo if x < lo else hi if x > hi else x\n\n" +
  "def total(unit, qty, fee):\n    return unit + qty + fee\n",
  "def clamp(x, lo, hi):\n" +
  "    return lo if x < lo else hi if x > hi else x\n\n" +
  "def total(unit, qty, fee):\n    return unit * qty + fee\n",
] as const;

/** SHA-256 of TASK.txt. */
export const TASK_SHA256 =
  "ecd0d2811f2472dfd50ec876e1b8c85ad469cb9aab3adaf2fc57c3ab9881c98f";

/** SHA-256 of toy_math.py at versions 0, 1 and 2 of the scripted baseline. */
export const TOY_MATH_SHA256 = [
  "724c91b196897b0d671cee741a6d158315c03587f2389baa99c594005a8271b0",
  "fb3a1d4c150c34401b06d7c8f50ff2688f743f3db4f4dc6507b55c8de3cb7250",
  "dcb98757176e9b86262e9413cd8945d8260e27238c68bcc721e03bfdb0fd7f88",
] as const;

/** The four public cases with what the initial source makes of them. */
export const PUBLIC_RESULTS_V0 = [
  { function: "clamp", inputs: [-2, 0, 5], expected: 0, actual: -2 },
  { function: "clamp", inputs: [8, 0, 5], expected: 5, actual: 8 },
  { function: "total", inputs: [3, 4, 2], expected: 14, actual: 9 },
  { function: "total", inputs: [7, 0, 2], expected: 2, actual: 9 },
] as const;

/** The four public cases, as the repaired source answers them. */
export const PUBLIC_RESULTS_V2 = PUBLIC_RESULTS_V0.map((one) => ({
  ...one,
  actual: one.expected,
}));

/** The eight held-out cases, as the repaired source answers them. */
export const HELD_OUT_RESULTS_V2 = [
  { function: "clamp", inputs: [-5, -3, -1], expected: -3, actual: -3 },
  { function: "clamp", inputs: [0, -3, 5], expected: 0, actual: 0 },
  { function: "clamp", inputs: [5, 5, 5], expected: 5, actual: 5 },
  { function: "clamp", inputs: [10, -2, 3], expected: 3, actual: 3 },
  { function: "total", inputs: [0, 8, 3], expected: 3, actual: 3 },
  { function: "total", inputs: [6, 1, 4], expected: 10, actual: 10 },
  { function: "total", inputs: [2, 3, 0], expected: 6, actual: 6 },
  { function: "total", inputs: [9, 2, 1], expected: 19, actual: 19 },
] as const;

/** The expressions of versions 0, 1 and 2. */
export const EXPRESSIONS = [
  { clamp: "x", total: "unit + qty + fee" },
  {
    clamp: "lo if x < lo else hi if x > hi else x",
    total: "unit + qty + fee",
  },
  {
    clamp: "lo if x < lo else hi if x > hi else x",
    total: "unit * qty + fee",
  },
] as const;
