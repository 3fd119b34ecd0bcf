// deno-lint-ignore-file no-console -- a task speaks on the console
// `deno task generate [--check]`: writes the generated files, or says which
// differ.

import { generatedFiles, ROOT } from "./generated.ts";

const check = Deno.args.includes("--check");
let differing = 0;
for (const { path, text, mode } of await generatedFiles()) {
  const url = new URL(path, ROOT);
  const present = await Deno.readTextFile(url).catch(() => null);
  if (present === text) continue;
  differing++;
  console.log(`${check ? "differs" : "written"}: ${path}`);
  if (check) continue;
  await Deno.writeTextFile(url, text);
  if (mode !== undefined) await Deno.chmod(url, mode);
}
if (check && differing > 0) {
  console.error("Run: deno task generate");
  Deno.exit(1);
}
