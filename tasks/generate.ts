// deno-lint-ignore-file no-console -- a task speaks on the console
// Writes the generated files, or says which differ.
//
// usage: deno task generate [--check]

import { generatedFiles, ROOT } from "./generated.ts";
import { TaskUsage } from "./usage.ts";

const { options: { check } } = new TaskUsage(import.meta.url).read([0, 0], {
  check: { type: "boolean", default: false },
});
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
