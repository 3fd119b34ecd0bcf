// The whole program under its own flags, and then a look at what is left of its
// rights: one JSON object on stdout, before and after a baseline.

import { runProgram } from "../../lib/cli/program.ts";

const kinds = ["read", "write", "net", "run", "env", "sys", "ffi"] as const;

const rights = () =>
  Object.fromEntries(
    kinds.map((name) => [name, Deno.permissions.querySync({ name }).state]),
  );

const scoped = () => ({
  host: Deno.permissions.querySync({ name: "net", host: "huggingface.co:443" })
    .state,
  variable: Deno.permissions.querySync({
    name: "env",
    variable: "ORT_DISABLE_TELEMETRY",
  }).state,
  engine: Deno.permissions.querySync({
    name: "ffi",
    path: ".tinycoder-engine",
  }).state,
  release: Deno.permissions.querySync({ name: "sys", kind: "osRelease" }).state,
  folder: Deno.permissions.querySync({ name: "write", path: "." }).state,
  above: Deno.permissions.querySync({ name: "read", path: "../.git" }).state,
});

const before = { ...rights(), ...scoped() };
const code = await runProgram(["--run", "run", "--quiet"], {
  out: () => {},
  note: () => {},
  outColor: false,
  noteColor: false,
  noteIsTerminal: false,
});
const after = { ...rights(), ...scoped() };
// deno-lint-ignore no-console
console.log(JSON.stringify({ code, before, after }));
