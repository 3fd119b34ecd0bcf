// deno-lint-ignore-file no-console -- a task speaks on the console
// What the acquisition's quick tests leave out, each against a hub of its own in a
// network namespace (root, util-linux, iproute2 and openssl):
//
// usage: deno run -A tasks/acquire_sweep.ts kills [COUNT] [SEED]
//        deno run -A tasks/acquire_sweep.ts large [ROUNDS] [PYTHON]
//        deno run -A tasks/acquire_sweep.ts small FOLDER
//        deno run -A tasks/acquire_sweep.ts limits
//
// kills: COUNT kills (-9) at random instants. large: 988 MB, its rate, memory and
// resume; against curl and, with a Python that has huggingface_hub, the hub's own
// client. small: the seven small files, in FOLDER. limits: 60 s and 20 minutes,
// waited for.

import { makeNamespace } from "../tests/fake_hub/namespace.ts";
import { TaskUsage } from "./usage.ts";

const SCRIPTS = {
  kills: "kill_sweep.ts",
  large: "large.ts",
  small: "small_files.ts",
  limits: "real_limits.ts",
} as const;

const usage = new TaskUsage(import.meta.url);
const [typed, ...options] = usage.operands(1, 3);
const what = usage.oneOf(
  "The first argument",
  typed,
  Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[],
);
const scriptOptions = optionsOf(what);
const script = SCRIPTS[what];
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

/** What the script is told, beside its place. */
function optionsOf(what: keyof typeof SCRIPTS): readonly string[] {
  const [first, second] = options;
  const most = { kills: 2, large: 2, small: 1, limits: 0 }[what];
  if (options.length > most) {
    usage.refuse(`"${what}" has no place for "${options[most]}"`);
  }
  switch (what) {
    case "kills":
      return [
        `${usage.whole("COUNT", first, 100)}`,
        `${usage.whole("SEED", second, 1, 0)}`,
      ];
    case "large":
      return [
        `${usage.whole("ROUNDS", first, 3)}`,
        ...second === undefined
          ? []
          : [usage.present("PYTHON", second, "file")],
      ];
    case "small":
      return [usage.present("FOLDER", first, "folder")];
    case "limits":
      return [];
  }
}
