// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task test [ARGS]`: every test. (A file called test.ts would be taken for
// one of them, and run itself for ever.) The last line is the count alone, so that
// whoever runs it needn't know Deno's own summary.

import { ROOT } from "./generated.ts";
import { prepareTests } from "./prepare_tests.ts";

const path = [
  // Children find this Deno.
  Deno.execPath().replace(/\/[^/]*$/, ""),
  ...await prepareTests(),
  Deno.env.get("PATH"),
].join(":");
const child = new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "--quiet",
    "--allow-all",
    "--no-check",
    "--trace-leaks",
    ...(Deno.args.length > 0 ? Deno.args : ["lib", "tests"]),
  ],
  cwd: ROOT,
  // A native backtrace under Deno's own errors is noise.
  env: { PATH: path, RUST_BACKTRACE: "0", NO_COLOR: "1" },
  stdout: "piped",
  stderr: "inherit",
}).spawn();

let tail = "";
const decoder = new TextDecoder();
for await (const chunk of child.stdout) {
  await Deno.stdout.write(chunk);
  tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4_096);
}
const { success } = await child.status;
const count = tail.match(/(\d+) passed[^|]*\| (\d+) failed/);
if (count === null) {
  console.error("The tests ended without a count.");
  Deno.exit(1);
}
const [, passed, failed] = count;
console.log(`${passed} passed, ${failed} failed`);
Deno.exit(success && failed === "0" && passed !== "0" ? 0 : 1);
