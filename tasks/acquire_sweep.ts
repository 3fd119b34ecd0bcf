// deno-lint-ignore-file no-console -- a task speaks on the console
// What the acquisition's quick tests leave out, each against a hub of its own in a
// network namespace (root, util-linux, iproute2 and openssl):
//
//   acquire_sweep.ts kills [COUNT] [SEED]    COUNT kills (-9) at random instants
//   acquire_sweep.ts large [ROUNDS] [PYTHON] 988 MB: rate, memory, resume; against
//                                            curl and, with a Python that has
//                                            huggingface_hub, the hub's own client
//   acquire_sweep.ts small FOLDER            the seven small files, in FOLDER
//   acquire_sweep.ts limits                  60 s and 20 minutes, waited for

import { makeNamespace } from "../tests/fake_hub/namespace.ts";

const [what, ...options] = Deno.args;
const scripts: Record<string, [script: string, options: string[]]> = {
  kills: ["kill_sweep.ts", [options[0] ?? "100", options[1] ?? "1"]],
  large: ["large.ts", [options[0] ?? "3", ...options.slice(1, 2)]],
  small: ["small_files.ts", options.slice(0, 1)],
  limits: ["real_limits.ts", []],
};
const chosen = scripts[what ?? ""];
if (chosen === undefined || (what === "small" && options.length === 0)) {
  console.error(
    "usage: acquire_sweep.ts kills | large | small FOLDER | limits",
  );
  Deno.exit(2);
}
const [script, scriptOptions] = chosen;
const folder = await Deno.makeTempDir();
try {
  const namespace = await makeNamespace(folder);
  const { authority, certificate, key } = namespace.authority;
  const { code, stdout, stderr } = await namespace.command("deno", [
    "run",
    "--quiet",
    "--no-check",
    "--allow-all",
    `--config=${new URL("../deno.json", import.meta.url).pathname}`,
    new URL(`../tests/fake_hub/${script}`, import.meta.url).pathname,
    authority,
    certificate,
    key,
    // The large file needs a disk; the rest has one in memory.
    what === "large" ? folder : namespace.work,
    ...scriptOptions,
  ]).output();
  const text = new TextDecoder().decode(stdout);
  console.log(
    code === 0 ? JSON.stringify(JSON.parse(text), null, 2) : text,
    new TextDecoder().decode(stderr),
  );
  Deno.exitCode = code;
} finally {
  await Deno.remove(folder, { recursive: true });
}
