// Reports 40: a native dependency of another tool called home although the tool
// was "offline". Deno's permissions don't bind native code, so the system calls
// are looked at: a worker that loads and generates opens no network socket,
// starts no process, and opens none of the checkpoint's files for writing.

import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { TINY_FOLDER } from "./model_fixture.ts";

const side = new URL("../tasks/bench/model_side.ts", import.meta.url).pathname;

/** System calls of the whole process, in the order they were made. */
async function trace(folder: string): Promise<string[]> {
  const log = `${folder}/trace`;
  const child = new Deno.Command("strace", {
    args: [
      "--follow-forks",
      "--trace=network,execve,execveat,openat,open",
      "--seccomp-bpf",
      `--output=${log}`,
      Deno.execPath(),
      "run",
      "--quiet",
      "--no-check",
      "--cached-only",
      "--allow-all",
      side,
      TINY_FOLDER,
      `${TINY_FOLDER}.json`,
    ],
    // Deno's own command line asks for a newer Deno now and then.
    env: { DENO_NO_UPDATE_CHECK: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const asked = {
    messages: [{ role: "user", content: "read" }],
    new_tokens: 20,
  };
  await input.write(new TextEncoder().encode(`${JSON.stringify(asked)}\n`));
  await input.close();
  const { success, stdout } = await child.output();
  ok(success);
  equal(new TextDecoder().decode(stdout).trim().split("\n").length, 2);
  return (await Deno.readTextFile(log)).split("\n");
}

Deno.test("the model worker opens no socket, starts nothing, changes no file of the model", async () => {
  const folder = Deno.makeTempDirSync();
  const calls = await trace(folder);
  Deno.removeSync(folder, { recursive: true });
  const opened = calls.filter((call) => call.includes("/model.safetensors"));
  // By the verification and, in native code, by the engine: the trace sees both.
  ok(opened.length >= 2, opened.join("\n"));
  equal(opened.filter((call) => !call.includes("O_RDONLY")), []);
  equal(calls.filter((call) => /AF_INET|AF_NETLINK|AF_PACKET/.test(call)), []);
  equal(calls.filter((call) => /\bexecve(at)?\(/.test(call)).length, 1);
});
