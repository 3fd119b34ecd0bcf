// What a build gives: exactly the rights of the table, and the same bytes
// wherever it is made.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { JsonObject } from "../lib/agent/json.ts";
import { RIGHTS } from "../lib/system/permissions.ts";
import { NotBuilt } from "../tasks/build_binary.ts";
import { ROOT_PATH } from "../tasks/build_files.ts";
import { workingFolder } from "./binary_run.ts";
import { compiledBinary, withRuntimeBase } from "./compiled_binary.ts";

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
