// deno-lint-ignore-file no-console -- a task speaks on the console
// How the time of a call grows with its prompt and with its output: `deno task
// bench --model FOLDER MANIFEST --growth`. What else the machine does only adds
// to a time, so that the least of all rounds says most about the program.

import {
  type Answered,
  filler,
  type ModelBench,
  ownSide,
  type Side,
} from "./side.ts";

const PROMPTS = [256, 512, 768, 1_024, 1_280, 1_536, 1_792, 2_000];
const OUTPUTS = [1, 16, 32, 64, 96, 128];
/** Input tokens of the calls whose output grows. */
const BEFORE_OUTPUT = 512;

/** The least milliseconds so far, by number of tokens. */
type Least = Map<number, number>;

/** Measures, and prints a table for each kind of tokens. */
export async function benchGrowth(bench: ModelBench): Promise<void> {
  const [prompts, outputs]: [Least, Least] = [new Map(), new Map()];
  for (let round = 1; round <= bench.rounds; round++) {
    const side = ownSide(bench);
    await side.ready();
    for (const tokens of PROMPTS) {
      const { ms, input_tokens } = await call(side, `${round} in`, tokens, 1);
      keepLeast(prompts, input_tokens, ms);
    }
    for (const tokens of OUTPUTS) {
      const salt = `${round} out ${tokens}`;
      const { ms } = await call(side, salt, BEFORE_OUTPUT, tokens);
      keepLeast(outputs, tokens, ms);
    }
    await side.end();
  }
  const load = Deno.loadavg().map((load) => load.toFixed(2)).join(" ");
  console.log(
    `Least ms of ${bench.rounds} rounds; load of the machine at the end ${load}`,
  );
  report("input tokens, one token out", prompts);
  report(`output tokens after ${BEFORE_OUTPUT}`, outputs);
}

/** One call that shares no prefix with another one. */
async function call(
  side: Side,
  salt: string,
  inputs: number,
  outputs: number,
): Promise<Answered> {
  const answered = await side.ask({
    messages: filler(inputs, `growth ${salt} ${inputs}`),
    new_tokens: outputs,
    exactly: true,
  });
  const { length } = answered.output_ids;
  if (length !== outputs) {
    throw new Error(`The model ended after ${length} of ${outputs} tokens`);
  }
  return answered;
}

function keepLeast(least: Least, tokens: number, ms: number): void {
  least.set(tokens, Math.min(ms, least.get(tokens) ?? Infinity));
}

/** Prints times, and how far each is from a straight line through all. */
function report(title: string, least: Least): void {
  const points = [...least].sort(([a], [b]) => a - b);
  const { base, slope } = straightLine(points);
  console.log(
    `\n${title}: about ${base.toFixed(0)} ms, and ${
      slope.toFixed(2)
    } ms for each token`,
  );
  console.log("  tokens        ms    ms a token    from the line");
  for (const [tokens, ms] of points) {
    const expected = base + slope * tokens;
    const away = `${((ms / expected - 1) * 100).toFixed(0)}%`;
    console.log(
      [
        String(tokens).padStart(8),
        ms.toFixed(0).padStart(10),
        (ms / tokens).toFixed(2).padStart(14),
        away.padStart(17),
      ].join(""),
    );
  }
}

/** The line with the least squared distances. */
function straightLine(
  points: readonly (readonly [number, number])[],
): { readonly base: number; readonly slope: number } {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([tokens]) => tokens));
  const y = mean(points.map(([, ms]) => ms));
  const slope = mean(points.map(([tokens, ms]) => (tokens - x) * (ms - y))) /
    mean(points.map(([tokens]) => (tokens - x) ** 2));
  return { base: y - slope * x, slope };
}
