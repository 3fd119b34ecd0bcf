// deno-lint-ignore-file no-console -- a task speaks on the console
// Fuzzes one parser: inputs by its grammar and mutated ones, kept where they
// run code that never ran or bring a kind of answer that never came (V8's block
// coverage of `lib/`, and the answers' codes and sentences).
//
// usage: deno run -A tasks/fuzz.ts PARSER [--minutes M] [--seed N]
//        deno run -A tasks/fuzz.ts PARSER --input FILE|BASE64
//        deno run -A tasks/fuzz.ts --list
//
// Prints each finding with the shortest input that shows it, then one line of
// figures. Exits with 1 where there is a finding. `--input` judges that one.

import { BlockCoverage } from "./fuzz/coverage.ts";
import { fuzz, type FuzzReport } from "./fuzz/fuzz_loop.ts";
import { readSeeds } from "./fuzz/seeds.ts";
import { StallWatch } from "./fuzz/stall_watch.ts";
import { TaskUsage } from "./usage.ts";

const usage = new TaskUsage(import.meta.url);
const { operands, options } = usage.read([0, 1], {
  minutes: { type: "string" },
  seed: { type: "string" },
  input: { type: "string" },
  list: { type: "boolean", default: false },
});
const minutes = usage.positive("--minutes", options.minutes, 10);
const seed = usage.whole("--seed", options.seed, 1, 0);
if (operands.length === 0 && !options.list) {
  usage.refuse("An argument is missing");
}
// Before the program's modules are loaded, so that all of their blocks count.
const coverage = await BlockCoverage.begin();
const { TARGETS } = await import("./fuzz/targets.ts");
if (options.list) {
  console.log(Object.keys(TARGETS).join("\n"));
  Deno.exit(0);
}
const name = usage.oneOf("PARSER", operands[0], Object.keys(TARGETS));
const target = await TARGETS[name]!();
if (options.input !== undefined) {
  console.log(await target.judge(inputOf(options.input)));
  Deno.exit(0);
}
const watch = new StallWatch();
const report = await fuzz(target, readSeeds(name), {
  seed,
  ms: minutes * 60_000,
  coverage,
  watch: (input) => watch.tell(input),
  found: ({ message, input }) => {
    console.log(`FINDING: ${message}`);
    console.log(`  ${JSON.stringify(new TextDecoder().decode(input))}`);
    console.log(`  base64: ${input.toBase64()}`);
  },
  progress: (now) => console.log(figures(now)),
});
watch.end();
target.end?.();
console.log(figures(report));
if (report.slowest.length <= 200) {
  console.log(`slowest, base64: ${report.slowest.toBase64()}`);
}
Deno.exit(report.findings.length === 0 ? 0 : 1);

function inputOf(given: string): Uint8Array {
  try {
    return Deno.readFileSync(given);
  } catch {
    // No file of that name.
  }
  try {
    return Uint8Array.fromBase64(given);
  } catch {
    return usage.refuse(
      `--input is a file or base64, and "${given}" is neither`,
    );
  }
}

function figures(
  { executions, ms, corpus, kinds, findings, slowestMs, slowest }: FuzzReport,
): string {
  return `${name}: ${executions} executions in ${Math.round(ms / 1_000)} s, ${
    Math.round(executions / ms * 1_000)
  }/s, corpus ${corpus}, ` +
    `${kinds} kinds of answers, ${findings.length} findings, slowest ${
      slowestMs.toFixed(2)
    } ms (${slowest.length} bytes), seed ${seed}`;
}
