// The compiled binary, as it would be downloaded: what is baked into it, what
// it does in fresh folders, as root and as somebody without any rights, and
// wherever it is put.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import type { JsonObject } from "../lib/agent/json.ts";
import { RIGHTS } from "../lib/system/permissions.ts";
import { VERSION } from "../lib/system/version.ts";
import { NotBuilt } from "../tasks/build_binary.ts";
import { ROOT_PATH } from "../tasks/build_files.ts";
import {
  converse,
  NOBODY,
  runBinary,
  type Start,
  type User,
  USERS,
  workingFolder,
} from "./binary_run.ts";
import { compiledBinary, withRuntimeBase } from "./compiled_binary.ts";
import { assertOneError } from "./launched.ts";

Deno.test("the binary has exactly the rights of the table baked in", async () => {
  const bytes = Deno.readFileSync(await compiledBinary());
  const { permissions, v8_flags, code_cache_key, app_name } = bakedIn(bytes);
  const expected = Object.fromEntries(
    ["read", "write", "net", "ffi", "env", "sys", "run"].map((kind) => [
      `allow_${kind}`,
      RIGHTS.find((right) => right.kind === kind)?.scope ?? null,
    ]),
  );
  const found = Object.fromEntries(
    Object.keys(expected).map((key) => [key, permissions[key]]),
  );
  assert.deepEqual(found, expected);
  assert.equal(permissions["prompt"], false);
  assert.ok(v8_flags.includes("--disallow-code-generation-from-strings"));
  assert.equal(code_cache_key, null);
  assert.equal(app_name, "tinycoder");
});

interface BakedIn {
  readonly permissions: JsonObject;
  readonly v8_flags: readonly string[];
  readonly code_cache_key: string | null;
  readonly app_name: string;
}

/** What `deno compile` has written down for the runtime. */
function bakedIn(bytes: Uint8Array): BakedIn {
  const text = new TextDecoder("latin1").decode(bytes);
  const from = text.lastIndexOf('{"argv":');
  const after = '"app_name":"tinycoder"}';
  return JSON.parse(text.slice(from, text.indexOf(after, from) + after.length));
}

Deno.test("buildBinary() gives the same bytes in another folder", async () => {
  using folder = workingFolder("this user");
  const copy = `${folder.path}/another checkout`;
  for (
    const part of [
      "main.ts",
      "deno.json",
      "deno.lock",
      "lib",
      "worker",
      "fixtures",
      "tasks",
    ]
  ) {
    fs.cpSync(`${ROOT_PATH}${part}`, `${copy}/${part}`, {
      recursive: true,
    });
  }
  fs.symlinkSync(`${ROOT_PATH}node_modules`, `${copy}/node_modules`);
  const ours = await compiledBinary();
  await withRuntimeBase(async () => {
    const { success, stdout, stderr } = await new Deno.Command(
      Deno.execPath(),
      {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "--allow-all",
          "--node-modules-dir=manual",
          "tasks/build.ts",
          "--output",
          folder.path,
        ],
        cwd: copy,
      },
    ).output();
    const said = new TextDecoder();
    if (!success) throw new NotBuilt(said.decode(stdout) + said.decode(stderr));
  });
  const sums = fs.readFileSync(`${folder.path}/SHA256SUMS`, "utf8");
  const name = sums.slice(sums.indexOf("  ") + 2, -1);
  assert.equal(sums, `${await digestOf(`${folder.path}/${name}`)}  ${name}\n`);
  assert.equal(sums, `${await digestOf(ours)}  ${name}\n`);
});

async function digestOf(path: string): Promise<string> {
  const bytes = Deno.readFileSync(path);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex();
}

for (const user of USERS) {
  Deno.test(`the binary does its work in a fresh folder, as ${user}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    const { cwd } = start;

    const version = await runBinary(start, ["--version"]);
    assert.deepEqual(version, { code: 0, out: `${VERSION}\n`, err: "" });
    const help = await runBinary(start, ["--help"]);
    assert.deepEqual([help.code, help.err], [0, ""]);
    assert.match(help.out, /^Usage: tinycoder /);

    await assertBaseline(start, "baseline");
    const shown = await runBinary(start, ["show", "baseline"]);
    assert.deepEqual([shown.code, shown.err], [0, ""]);
    assert.match(shown.out, /finish_accepted/);
    const recovered = await runBinary(start, ["recover", "baseline"]);
    assert.equal(recovered.code, 0, recovered.err);

    const checked = await runBinary(
      start,
      ["check"],
      '{"function":"clamp","expr":"x + 1","inputs":[1,0,5]}\n',
    );
    assert.deepEqual(
      [checked.code, JSON.parse(checked.out)["value"]],
      [0, 2],
    );
    const judged = await runBinary(
      start,
      ["contract", "--check"],
      `{"proposal_base64":"${btoa('{"action":"test"}')}"}\n`,
    );
    assert.deepEqual(JSON.parse(judged.out), {
      ok: true,
      action: { action: "test" },
    });
    // Only what was asked for: no engine, no cache, nothing in a home.
    assert.deepEqual(fs.readdirSync(cwd), ["baseline"]);
  });
}

Deno.test("the binary takes proposals over its streams", async () => {
  const user = USERS.at(-1) ?? "this user";
  using folder = workingFolder(user);
  const start = await placed(folder.path, user);
  const { code, messages, err } = await converse(
    start,
    ["--run", "run", "--source", "stdio", "--quiet"],
    baseline,
  );
  assert.equal(code, 0, err);
  assert.deepEqual(messages.map(({ type }) => type), [
    "hello",
    ...baseline.flatMap(() => ["request", "observation"]),
    "final",
  ]);
  const final = messages.at(-1)?.["final"] as JsonObject;
  assert.deepEqual(final, readJson(`${start.cwd}/run/final.json`));
  assert.deepEqual(
    [final["source"], final["stop_reason"], final["verified_success"]],
    ["stdio", "finish_accepted", true],
  );
});

Deno.test("the binary passes its own selftest, as somebody without rights", async () => {
  const user = USERS.at(-1) ?? "this user";
  using folder = workingFolder(user);
  const start = await placed(folder.path, user);
  const { code, out, err } = await runBinary(start, ["selftest"]);
  assert.equal(code, 0, out.slice(-2_000) + err);
  assert.match(out, /\b0 failed\b/);
  assert.deepEqual(fs.readdirSync(start.cwd), []);
});

Deno.test("the binary refuses what lies outside the folder it is started in", async () => {
  const user = USERS.at(-1) ?? "this user";
  using folder = workingFolder(user);
  const start = await placed(folder.path, user);
  await assertBaseline(start, "baseline");
  fs.mkdirSync(`${start.cwd}/below`);
  fs.symlinkSync("../baseline", `${start.cwd}/below/link`);
  const below: Start = { ...start, cwd: `${start.cwd}/below` };
  for (const run of ["../baseline", `${start.cwd}/baseline`, "link"]) {
    const left = await runBinary(below, ["show", run]);
    assertOneError(left, 3, `"${run}"`, "does not lie below");
  }
  const left = await runBinary(below, ["--run", "../another"]);
  assertOneError(left, 3, '"../another"', "does not lie below");
  assert.deepEqual(fs.readdirSync(start.cwd).sort(), ["baseline", "below"]);
});

Deno.test("the binary's controller has no way out of its run's folder", async () => {
  using folder = workingFolder("this user");
  const start = await placed(folder.path, "this user");
  await assertBaseline(start, "baseline");
  const { enforced } = readJson(`${start.cwd}/baseline/manifest.json`);
  const walls = Object.keys(enforced as JsonObject);
  for (const wall of ["net", "env", "sys", "run", "ffi"]) {
    assert.ok(walls.includes(wall), wall);
  }
  assert.deepEqual(
    enforced,
    Object.fromEntries(walls.map((wall) => [wall, "denied"])),
  );
});

Deno.test("the binary takes nothing from the folder for temporary files", async () => {
  using folder = workingFolder("this user");
  const start = await placed(folder.path, "this user");
  const temporary = `${folder.path}/temporary`;
  // The program's own files seem to lie below it, in a folder of this name.
  const own = `${temporary}/deno-compile-tinycoder`;
  fs.mkdirSync(own, { recursive: true });
  for (const place of [temporary, own]) {
    fs.writeFileSync(`${place}/package.json`, "no JSON");
    fs.writeFileSync(`${place}/deno.json`, "no JSON");
    fs.writeFileSync(`${place}/main.ts`, "Deno.exit(99);");
  }
  const before = fs.readdirSync(temporary, { recursive: true });
  await assertBaseline({ ...start, temporary }, "baseline");
  assert.deepEqual(fs.readdirSync(temporary, { recursive: true }), before);
});

/** Places that a binary may be installed in. */
const PLACES: readonly {
  readonly what: string;
  readonly user: User;
  /** Puts it somewhere below a folder; how it is started. */
  readonly install: (folder: string, binary: string) => Partial<Start>;
}[] = [
  {
    what: "through a link",
    user: "this user",
    install: (folder, binary) => {
      fs.symlinkSync(binary, `${folder}/link`);
      return { program: `${folder}/link` };
    },
  },
  {
    what: "from the PATH",
    user: "this user",
    install: (folder, binary) => {
      fs.mkdirSync(`${folder}/bin`);
      fs.symlinkSync(binary, `${folder}/bin/tinycoder`);
      return { program: "tinycoder", path: `${folder}/bin:/usr/bin:/bin` };
    },
  },
  {
    what: "in a folder with a space and a letter beyond ASCII",
    user: "this user",
    install: (folder, binary) => {
      fs.mkdirSync(`${folder}/mes outils d'été`);
      const program = `${folder}/mes outils d'été/tinycoder`;
      fs.copyFileSync(binary, program);
      return { program };
    },
  },
  {
    what: "in its own current folder",
    user: "this user",
    install: (folder, binary) => {
      fs.copyFileSync(binary, `${folder}/work/tinycoder`);
      return { program: "./tinycoder" };
    },
  },
  {
    what: "in a folder that nobody may write, owned by somebody else",
    user: USERS.at(-1) ?? "this user",
    install: (folder, binary) => {
      fs.mkdirSync(`${folder}/bin`);
      const program = `${folder}/bin/tinycoder`;
      fs.copyFileSync(binary, program);
      fs.chmodSync(program, 0o555);
      fs.chmodSync(`${folder}/bin`, 0o555);
      return { program };
    },
  },
];

for (const { what, user, install } of PLACES) {
  Deno.test(`the binary works ${what}`, async () => {
    using folder = workingFolder(user);
    const start = await placed(folder.path, user);
    const here = {
      ...start,
      ...install(folder.path, await compiledBinary()),
    };
    const before = fs.readdirSync(start.cwd);
    await assertBaseline(here, "baseline");
    assert.deepEqual(
      fs.readdirSync(start.cwd).sort(),
      [...before, "baseline"].sort(),
    );
    if (here.program.includes("/bin/")) {
      assert.deepEqual(fs.readdirSync(`${folder.path}/bin`), ["tinycoder"]);
      fs.chmodSync(`${folder.path}/bin`, 0o755);
    }
  });
}

/** An empty current folder below `folder`, and a binary that `user` can run. */
async function placed(folder: string, user: User): Promise<Start> {
  fs.chmodSync(folder, 0o755);
  const cwd = `${folder}/work`;
  fs.mkdirSync(cwd);
  let program = await compiledBinary();
  if (user === "nobody") {
    fs.chownSync(cwd, NOBODY, NOBODY);
    // The checkout may lie where nobody else may look.
    fs.mkdirSync(`${folder}/program`);
    fs.copyFileSync(program, `${folder}/program/tinycoder`);
    program = `${folder}/program/tinycoder`;
  }
  return { program, cwd, user };
}

/** Conducts a baseline, and asserts that its evidence is whole. */
async function assertBaseline(start: Start, run: string): Promise<void> {
  const made = await runBinary(start, ["--run", run, "--quiet"]);
  assert.deepEqual([made.code, made.err], [0, ""]);
  const final = readJson(`${start.cwd}/${run}/final.json`);
  assert.deepEqual(
    [final["source"], final["stop_reason"], final["verified_success"]],
    ["scripted", "finish_accepted", true],
  );
  const verified = await runBinary(start, ["verify", run]);
  assert.equal(verified.code, 0, verified.out + verified.err);
}

function readJson(path: string): JsonObject {
  return JSON.parse(fs.readFileSync(path, "utf8"));
}
