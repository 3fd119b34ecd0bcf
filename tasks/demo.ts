// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task demo`: the main job, from nothing to its report, in a fresh folder
// outside any repository.

import { ROOT } from "./generated.ts";

const folder = await Deno.makeTempDir({ prefix: "tinycoder-demo-" });
const launcher = new URL("tasks/tinycoder", ROOT).pathname;
console.log(`In the fresh folder ${folder}:`);
for (const args of [["--run", "baseline"], ["show", "baseline"]]) {
  console.log(`\n$ tinycoder ${args.join(" ")}`);
  const { code } = await new Deno.Command(launcher, {
    args,
    cwd: folder,
    env: {
      PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:${
        Deno.env.get("PATH")
      }`,
    },
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (code !== 0) Deno.exit(code);
}
console.log(`\nThe evidence stays in ${folder}/baseline.`);
