// What a run asks the system for, from the system's side: no socket, no other
// program, nothing changed but the run's folder, and no file opened that isn't
// on the list in fixtures/traces.

import assert from "node:assert/strict";
import knownBaseline from "../fixtures/traces/baseline.json" with {
  type: "json",
};
import knownTrial from "../fixtures/traces/trial.json" with { type: "json" };
import { copyTinyModel, TINY_TRIAL, workingFolder } from "./binary_run.ts";
import { compiledBinary } from "./compiled_binary.ts";
import { LAUNCHER } from "./launched.ts";
import { type Trace, traced } from "./traced.ts";

const BASELINE = ["--run", "baseline", "--quiet"];

const RUNS = [
  { what: "a baseline", args: BASELINE, known: knownBaseline },
  { what: "a trial", args: [...TINY_TRIAL, "--quiet"], known: knownTrial },
];

for (const { what, args, known } of RUNS) {
  Deno.test(`${what} of the binary stays in its folder, alone and offline`, async () => {
    using folder = workingFolder("this user");
    if (what === "a trial") copyTinyModel(folder.path);
    const program = await compiledBinary();
    const trace = await traced({
      program,
      args,
      cwd: folder.path,
      // Without a home the C library would look the user up, over a local
      // socket.
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
    });
    assert.deepEqual(
      { ...trace, opened: [], changed: [] },
      { opened: [], changed: [], sockets: [], executed: [program], forks: 0 },
    );
    const { within, elsewhere } = divided(trace, folder.path, program);
    assert.deepEqual(within.changed, known.within.changed);
    assert.deepEqual(elsewhere.changed, []);
    // What the system's loader and allocator look at differs between systems.
    const listed = [...known.within.opened, ...known.elsewhere];
    assert.deepEqual(
      [...within.opened, ...elsewhere.opened]
        .filter((path) => !listed.includes(path)),
      [],
    );
  });
}

Deno.test("a baseline from a checkout opens no network socket, and starts nothing", async () => {
  using folder = workingFolder("this user");
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  const { sockets, executed } = await traced({
    program: LAUNCHER,
    args: BASELINE,
    cwd: folder.path,
    env: {
      PATH: `${deno}:/usr/bin:/bin`,
      HOME: Deno.env.get("HOME") ?? "/",
      ...(Deno.env.has("DENO_DIR")
        ? { DENO_DIR: Deno.env.get("DENO_DIR") as string }
        : {}),
    },
  });
  assert.deepEqual(sockets, []);
  // The launcher's own shell commands come first; Deno is the last one.
  assert.match(executed.at(-1) ?? "", /\/deno$/);
});

Deno.test("traced() sees sockets, processes and changes", async () => {
  using folder = workingFolder("this user");
  const { sockets, executed, forks, changed } = await traced({
    program: Deno.execPath(),
    args: [
      "eval",
      "--quiet",
      'Deno.listen({ hostname: "127.0.0.1", port: 0 }).close();' +
      'Deno.writeTextFileSync("made", "");' +
      'Deno.renameSync("made", "moved");' +
      'new Deno.Command("true").outputSync();',
    ],
    cwd: folder.path,
    env: { PATH: "/usr/bin:/bin", HOME: folder.path },
  });
  assert.deepEqual(sockets, ["AF_INET"]);
  assert.equal(executed[0], Deno.execPath());
  assert.match(executed.at(-1) ?? "", /\/true$/);
  assert.equal(forks, 1);
  const moved = changed.filter((path) => /\/(made|moved)$/.test(path));
  assert.deepEqual(
    moved,
    ["made", "moved"].map((name) => `${folder.path}/${name}`),
  );
});

/** Paths in the current folder, and all others, as any machine would have them. */
function divided(
  { opened, changed }: Trace,
  folder: string,
  program: string,
): { within: Paths; elsewhere: Paths } {
  const relative = (paths: readonly string[]) =>
    [
      ...new Set(
        paths
          .filter((path) => path === folder || path.startsWith(`${folder}/`))
          .map((path) => engineWords(`.${path.slice(folder.length)}`)),
      ),
    ].sort();
  const others = (paths: readonly string[]) =>
    [
      ...new Set(
        paths
          .filter((path) => path !== folder && !path.startsWith(`${folder}/`))
          .map((path) => path === program ? "<program>" : general(path)),
      ),
    ].sort();
  return {
    within: { opened: relative(opened), changed: relative(changed) },
    elsewhere: { opened: others(opened), changed: others(changed) },
  };
}

interface Paths {
  readonly opened: readonly string[];
  readonly changed: readonly string[];
}

/**
 * A path of the engine without its digest, random names, and the folders by
 * processor in which the system's loader looks for libraries.
 */
function engineWords(path: string): string {
  return path
    .replace(/^(\.\/\.tinycoder-engine\/)[0-9a-f]{64}/, "$1<digest>")
    .replace(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/,
      "<random>.part",
    )
    .replace(/(<digest>)\/.*\/([^/]*\.so[.0-9]*)$/, "$1/…/$2");
}

/** A path without what differs between machines: processors, groups, versions. */
function general(path: string): string {
  return path
    .replace(
      /^.*\/(lib(?:c|dl|gcc_s|m|pthread|rt|stdc\+\+)\.so\.\d+)$/,
      "<library>/$1",
    )
    .replace(/^\/sys\/fs\/cgroup\/.*/, "/sys/fs/cgroup/…")
    .replace(/^\/sys\/devices\/system\/cpu\/.*/, "/sys/devices/system/cpu/…")
    .replace(/^\/sys\/bus\/pci\/.*/, "/sys/bus/pci/…")
    .replace(/^\/proc\/\d+\//, "/proc/self/");
}
