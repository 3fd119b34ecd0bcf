// What a build gives: exactly the rights of the table, and the same bytes
// wherever it is made.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { JsonObject } from "../lib/agent/json.ts";
import { generateKeys } from "../lib/evidence/receipts/signing_key.ts";
import { RIGHTS } from "../lib/system/permissions.ts";
import { ROOT_PATH } from "../tasks/build/files.ts";
import { NotBuilt } from "../tasks/build/not_built.ts";
import { buildStatement } from "../tasks/build/statement.ts";
import { ownTarget } from "../tasks/build/targets.ts";
import { workingFolder } from "./binary_run.ts";
import { compiledBinary, withRuntimeBase } from "./compiled_binary.ts";
import { type Left, leftBy } from "./launched.ts";

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

Deno.test("the binary carries the fixtures that it reads, and no checkpoint", async () => {
  const { predicate } = buildStatement([]);
  const { materials } = predicate as { materials: { name: string }[] };
  const scenarios = fs.readdirSync(`${ROOT_PATH}fixtures/scenarios`).sort();
  assert.deepEqual(
    materials.map(({ name }) => name)
      .filter((name) => name.startsWith("fixtures/")),
    [
      "fixtures/baseline.json",
      "fixtures/cases.json",
      "fixtures/checkpoint/qwen2.5-coder-0.5b-instruct.json",
      "fixtures/harness.json",
      "fixtures/licenses.json",
      ...scenarios.map((name) => `fixtures/scenarios/${name}`),
    ],
  );
  const binary = fs.readFileSync(await compiledBinary());
  const carried = (path: string) =>
    binary.includes(
      fs.readFileSync(`${ROOT_PATH}fixtures/${path}`).subarray(0, 1_024),
    );
  assert.deepEqual(
    [
      "cases.json",
      `scenarios/${scenarios[0]}`,
      "checkpoint/tiny-qwen2/model.safetensors",
      "checkpoint/player/model.safetensors.gz",
    ].map(carried),
    [true, true, false, false],
  );
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

/** Copies the checkout as far as a build needs it. */
function copyCheckout(to: string): void {
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
    fs.cpSync(`${ROOT_PATH}${part}`, `${to}/${part}`, { recursive: true });
  }
  fs.symlinkSync(`${ROOT_PATH}node_modules`, `${to}/node_modules`);
}

/** Runs a task's file in a checkout. */
async function runTask(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Left> {
  return await leftBy(
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-check",
        "--allow-all",
        "--node-modules-dir=manual",
        ...args,
      ],
      cwd,
      env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
}

Deno.test("a build gives the same bytes in another folder, and signs what is inside", async (t) => {
  using folder = workingFolder("this user");
  const copy = `${folder.path}/another checkout`;
  const dist = `${folder.path}/dist`;
  copyCheckout(copy);
  const { privatePem, publicPem } = await generateKeys();
  const other = await generateKeys();
  for (
    const [name, pem] of Object.entries({
      "key": privatePem,
      "key.pub": publicPem,
      "other.pub": other.publicPem,
    })
  ) fs.writeFileSync(`${folder.path}/${name}`, pem);
  const ours = await compiledBinary();
  await withRuntimeBase(async () => {
    const { code, out, err } = await runTask(copy, [
      "tasks/build.ts",
      ...["--output", dist, "--key", `${folder.path}/key`],
    ]);
    if (code !== 0) throw new NotBuilt(out + err);
  });
  const sums = fs.readFileSync(`${dist}/SHA256SUMS`, "utf8");
  const name = sums.slice(sums.indexOf("  ") + 2, -1);
  assert.equal(sums, `${await digestOf(`${dist}/${name}`)}  ${name}\n`);
  assert.equal(sums, `${await digestOf(ours)}  ${name}\n`);

  const check = (key: string) =>
    runTask(copy, ["tasks/verify_build.ts", dist, `${folder.path}/${key}`]);
  assert.deepEqual(await check("key.pub"), {
    code: 0,
    out: `${sums}Signed by this key, and made from what this checkout has.\n`,
    err: "",
  });
  const refused = async (key: string, says: RegExp) => {
    const { code, out, err } = await check(key);
    assert.deepEqual([code, out], [4, ""]);
    assert.match(err, says);
  };
  await t.step("by another key", async () => {
    await refused("other.pub", /It isn't signed by this key/);
  });
  await t.step("over another source", async () => {
    fs.appendFileSync(`${copy}/worker/model.ts`, "// another\n");
    await refused("key.pub", /predicate\.materials\.\d+\.digest\.sha256/);
    fs.cpSync(`${ROOT_PATH}worker/model.ts`, `${copy}/worker/model.ts`);
  });
  await t.step("over another binary", async () => {
    fs.appendFileSync(`${dist}/${name}`, "more");
    await refused(
      "key.pub",
      /^tinycoder-.*: Its bytes aren't those that were signed$/m,
    );
  });
});

Deno.test("buildStatement() names every material once, as in-toto's link asks", () => {
  const statement = buildStatement([
    { name: "a", sha256: "0".repeat(64), target: ownTarget() },
  ]);
  const { name, materials } = statement["predicate"] as {
    name: string;
    materials: { name: string; digest: Record<string, string> }[];
  };
  assert.equal(name, "build");
  const names = materials.map((one) => one.name);
  assert.equal(new Set(names).size, names.length);
  for (const { digest } of materials) {
    const [[algorithm, value] = ["", ""], ...more] = Object.entries(digest);
    assert.deepEqual(more, []);
    assert.match(`${algorithm} ${value}`, /^sha(256 \w{64}|512 \w{128})$/);
  }
  for (
    const one of [
      "main.ts",
      "lib/agent/loop.ts",
      "worker/controller.ts",
      "fixtures/cases.json",
      "npm:zod@4.6.7",
      `${ownTarget().engine}/libonnxruntime.so.1`,
    ]
  ) assert.ok(names.includes(one), one);
  assert.deepEqual(names.filter((one) => one.endsWith("_test.ts")), []);
});

async function digestOf(path: string): Promise<string> {
  const bytes = Deno.readFileSync(path);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex();
}

Deno.test("the build's tasks say in one sentence what they can't use", async () => {
  using folder = workingFolder("this user");
  fs.writeFileSync(`${folder.path}/text`, "no key");
  const usage = "usage: deno task build [--all] [--output FOLDER] [--key FILE]";
  const verifyUsage = "usage: deno task build:verify FOLDER KEY.pub";
  const output = ["--output", "made"];
  for (
    const [[task, ...args], code, says] of [
      [["build", "--help"], 0, `${usage}\n`],
      [["build", "--nope"], 2, /^Unknown option '--nope'.*\nusage: [^\n]+\n$/],
      [
        ["build", ...output, "--key", "absent"],
        3,
        'the key "absent" can\'t be used: it is not there\n',
      ],
      [
        ["build", ...output, "--key", "text"],
        3,
        /^the key "text" can't be used: it [^\n]+\n$/,
      ],
      [["verify_build", "--help"], 0, `${verifyUsage}\n`],
      [["verify_build", "made"], 2, `${verifyUsage}\n`],
      [
        ["verify_build", "made", "missing.pub"],
        3,
        'the key "missing.pub" can\'t be used: it is not there\n',
      ],
      [
        ["verify_build", "absent", "missing.pub"],
        3,
        'the folder "absent" can\'t be used: it is not there\n',
      ],
    ] as const
  ) {
    const left = await runTask(folder.path, [
      `${ROOT_PATH}tasks/${task}.ts`,
      ...args,
    ]);
    assert.equal(left.code, code, left.err);
    const said = left.out + left.err;
    if (typeof says === "string") assert.equal(said, says);
    else assert.match(said, says);
  }
  const based = await runTask(
    folder.path,
    [`${ROOT_PATH}tasks/build.ts`, ...output],
    { DENORT_BIN: "absent" },
  );
  assert.deepEqual([based.code, based.err], [1, ""]);
  assert.match(
    based.out,
    /^tinycoder-\S+: not built: \$DENORT_BIN names no file: "absent"\n$/,
  );
});
