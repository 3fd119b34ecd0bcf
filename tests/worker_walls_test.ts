// What keeps the controller in its room is Deno itself, not only the program's
// own checks; where Deno leaves something open, the own check is shown beside it.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { controllerError } from "../lib/cli/controller_error.ts";
import type { ControllerStart } from "../lib/cli/controller_thread.ts";
import { scriptedSource } from "../lib/source/scripted_source.ts";
import { supervise } from "../lib/supervisor/supervise.ts";
import { readContained } from "../lib/system/contained_file.ts";
import { diskFiles } from "../lib/system/files.ts";
import {
  controllerRights,
  permissionFlags,
} from "../lib/system/permissions.ts";
import { freshFolder } from "./baseline_in_process.ts";
import { contentsOf } from "./closed_run.ts";
import { launch, LAUNCHER, leftBy } from "./launched.ts";
import type { Answers, Room } from "./workers/escapee.ts";

/** Sets a worker with the controller's rights free in a folder. */
async function escape(outside: string): Promise<Answers> {
  const folder = `${outside}/run`;
  fs.mkdirSync(folder);
  fs.writeFileSync(`${outside}/secret`, "secret");
  fs.writeFileSync(`${outside}/module.ts`, "export default 1;\n");
  fs.writeFileSync(`${folder}/own`, "own");
  fs.symlinkSync(outside, `${folder}/link`);
  fs.symlinkSync(`${outside}/secret`, `${folder}/leaf`);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const worker = new Worker(new URL("workers/escapee.ts", import.meta.url), {
    type: "module",
    deno: { permissions: controllerRights(folder) },
  } as WorkerOptions);
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      const room: Room = {
        folder,
        secret: `${outside}/secret`,
        port: (listener.addr as Deno.NetAddr).port,
      };
      worker.postMessage(room);
    });
  } finally {
    worker.terminate();
  }
}

Deno.test("controllerRights() let nothing out of the run's folder", async () => {
  using folder = freshFolder();
  const answers = Object.entries(await escape(folder.path));
  const expected = (name: string) =>
    /^(left open|allowed): /.test(name) ? "succeeded" : "refused";
  assert.deepEqual(
    answers.filter(([name, answer]) => answer !== expected(name)),
    [],
  );
  const kinds = new Set(answers.map(([name]) => name.split(": ")[0]));
  assert.deepEqual(
    [...kinds].sort(),
    [
      "allowed",
      "env",
      "ffi",
      "import",
      "left open",
      "net",
      "read",
      "run",
      "sys",
      "worker",
      "write",
    ],
  );
});

Deno.test("readContained() refuses the links that Deno follows", () => {
  using folder = freshFolder();
  const run = `${folder.path}/run`;
  fs.mkdirSync(run);
  fs.writeFileSync(`${folder.path}/secret`, "secret");
  fs.symlinkSync(folder.path, `${run}/link`);
  fs.symlinkSync(`${folder.path}/secret`, `${run}/leaf`);
  assert.deepEqual(readContained(diskFiles, run, "leaf", 100), {
    ok: false,
    finding: "not_regular",
  });
  assert.deepEqual(readContained(diskFiles, `${run}/link`, "secret", 100), {
    ok: false,
    finding: "folder_moved",
  });
});

Deno.test("the controller's worker begins nothing where its walls are missing", async () => {
  using folder = freshFolder();
  const start: ControllerStart = {
    folder: folder.path,
    runId: crypto.randomUUID(),
    declared: {
      source: "scripted",
      coreTrial: false,
      extension: null,
      authority: { opt_in: "command", covers: "a test" },
      runtime: {},
      model: null,
    },
  };
  const end = await supervise({
    controller: {
      url: new URL("../worker/controller.ts", import.meta.url),
      permissions: "inherit" as unknown as Deno.PermissionOptionsObject,
      start,
    },
    source: scriptedSource([]),
    cancel: new AbortController().signal,
  });
  assert.ok(end.kind === "failed");
  assert.equal(end.failure.reason, "not_enforced");
  for (const wall of ["read", "write", "net", "env", "sys", "run", "ffi"]) {
    assert.match(end.failure.message, new RegExp(`\\b${wall}(_outside)?\\b`));
  }
  assert.equal(controllerError(end.failure, "run", "nothing").exitCode, 3);
  assert.deepEqual(contentsOf(folder.path), {});
});

Deno.test("a baseline gives up every right but its folder's", async () => {
  using folder = freshFolder();
  const root = new URL("../", import.meta.url).pathname;
  const own = ["lib", "worker", "fixtures", "node_modules", "tests"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--config",
      `${root}deno.json`,
      ...permissionFlags(own.map((part) => `${root}${part}`)),
      `${root}tests/workers/after_baseline.ts`,
    ],
    cwd: folder.path,
    env: { RUST_BACKTRACE: "0" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const whole = {
    read: "prompt",
    write: "prompt",
    net: "prompt",
    run: "prompt",
    env: "prompt",
    sys: "prompt",
    ffi: "prompt",
  };
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
    code: 0,
    before: {
      ...whole,
      host: "granted",
      variable: "granted",
      engine: "granted",
      release: "granted",
      folder: "granted",
      above: "granted",
    },
    after: {
      ...whole,
      host: "prompt",
      variable: "prompt",
      engine: "prompt",
      release: "prompt",
      folder: "granted",
      above: "prompt",
    },
  });
});

Deno.test("a baseline opens no network socket and starts no program", async () => {
  using folder = freshFolder();
  const trace = `${folder.path}/trace`;
  const within = ["strace", "-f", "-qq", "-o", trace].concat(
    ["-e", "trace=execve,execveat,socket,connect,bind"],
  );
  const { code, err } = await leftBy(
    launch(folder.path, ["--run", "run", "--quiet"], { within }),
  );
  assert.equal(code, 0, err);
  const calls = fs.readFileSync(trace, "utf8").split("\n");
  assert.deepEqual(calls.filter((call) => /AF_INET|AF_NETLINK/.test(call)), []);
  const programs = calls.filter((call) => /execve\(/.test(call));
  assert.ok(programs[0]?.includes(LAUNCHER));
  // The launcher's last step is Deno itself, and nothing comes after that.
  assert.match(programs.at(-1) ?? "", /"run", "--quiet"/);
});
