// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task ok`: the gate before a commit.

import { ROOT } from "./generated.ts";

const deno = Deno.execPath();
const steps: readonly (readonly string[])[] = [
  ["fmt", "--check", "--quiet"],
  ["lint", "--quiet"],
  ["check", "--quiet", "main.ts", "worker", "lib", "tasks", "tests"],
  ["task", "--quiet", "generate", "--check"],
  ["task", "--quiet", "test"],
];
for (const args of steps) {
  const { success } = await new Deno.Command(deno, {
    args: [...args],
    cwd: ROOT,
    env: { RUST_BACKTRACE: "0" },
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) {
    console.error(`The gate is closed: deno ${args.join(" ")}`);
    Deno.exit(1);
  }
}
console.log("The gate is open.");
