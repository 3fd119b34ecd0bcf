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

import { parseArgs } from "node:util";
import { BlockCoverage } from "./fuzz/coverage.ts";
import { fuzz, type FuzzReport } from "./fuzz/fuzz_loop.ts";
import { readSeeds } from "./fuzz/seeds.ts";
import { StallWatch } from "./fuzz/stall_watch.ts";

const { positionals: [name = ""], values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    input: { type: "string" },
    list: { type: "boolean", default: false },
  },
});
// Before the program's modules are loaded, so that all of their blocks count.
const coverage = await BlockCoverage.begin();
const { TARGETS } = await import("./fuzz/targets.ts");
const make = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined;
if (values.list) {
  console.log(Object.keys(TARGETS).join("\n"));
  Deno.exit(0);
}
if (make === undefined) {
  console.error(`"${name}" is none of ${Object.keys(TARGETS).join(", ")}`);
  Deno.exit(2);
}
const target = await make();
if (values.input !== undefined) {
  console.log(await target.judge(inputOf(values.input)));
  Deno.exit(0);
}
const watch = new StallWatch();
const report = await fuzz(target, readSeeds(name), {
  seed: Number(values.seed),
  ms: Number(values.minutes) * 60_000,
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
    return Uint8Array.fromBase64(given);
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
    } ms (${slowest.length} bytes), seed ${values.seed}`;
}
