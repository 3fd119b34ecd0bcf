// Runs inside the namespace: the real command, with its real permissions and
// URLs, from start to exit. One JSON line each.
//
// usage: commands.ts AUTHORITY CERTIFICATE KEY WORK

import assert from "node:assert/strict";
import { type Behaviour, FakeHub } from "./hub.ts";
import { oneByOne } from "./one_by_one.ts";
import { WEIGHTS_BYTES, WHOLE_CHECKPOINT } from "./scenarios.ts";

const [authority, certificate, key, work] = Deno.args as [
  string,
  string,
  string,
  string,
];
const TINYCODER = new URL("../../tasks/tinycoder", import.meta.url).pathname;
const MIB = 1024 * 1024;
const hub = await FakeHub.start(
  { authority, certificate, key },
  WHOLE_CHECKPOINT,
);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function spawn(program: string, args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function ended(child: Deno.ChildProcess, typed = ""): Promise<Ended> {
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(typed));
  if (typed === "") await writer.close();
  const { code, stdout, stderr } = await child.output();
  return {
    code,
    stdout: new TextDecoder().decode(stdout),
    stderr: new TextDecoder().decode(stderr),
  };
}

const tinycoder = (...args: string[]): Promise<Ended> =>
  ended(spawn(TINYCODER, args));

/** The command on a terminal of its own, at which `typed` is typed. */
const atTerminal = (typed: string, ...args: string[]): Promise<Ended> =>
  ended(
    spawn("script", ["-qec", [TINYCODER, ...args].join(" "), "/dev/null"]),
    typed,
  );

const ACQUIRE = ["acquire", "--directory", "model", "--checkpoint", "it.json"];

function names(folder = "."): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

// deno-lint-ignore no-explicit-any -- a test looks into JSON.
function ledger(): any {
  return JSON.parse(Deno.readTextFileSync("model/acquisition.json"));
}

const VERIFIED = [
  "LICENSE",
  "acquisition.json",
  "config.json",
  "model.safetensors",
  "tokenizer.json",
  "tokenizer_config.json",
];

/** The weights stop after 1 MiB, once, and `then` is called. */
function stallsOnce(then: () => void): Behaviour {
  let once = true;
  return async (request, reply) => {
    const { name, stage, fromByte } = request;
    if (name !== "model.safetensors" || stage !== "content" || !once) {
      return await reply.normal();
    }
    once = false;
    await reply.head(200, { "Content-Length": String(WEIGHTS_BYTES) });
    await reply.body(
      WHOLE_CHECKPOINT.contents.get(name)!.subarray(fromByte, fromByte + MIB),
    );
    then();
    await reply.stall();
  };
}

/** Nothing in the current folder but the declaration, and nothing asked. */
function assertUntouched(): void {
  assert.deepEqual(names().filter((name) => name !== "it.json"), []);
  assert.deepEqual(hub.seen, []);
}

const COMMANDS: Record<string, () => Promise<void>> = {
  "acquire --yes brings everything": async () => {
    const { code, stdout, stderr } = await tinycoder(...ACQUIRE, "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Verified: 5 files, 4,207,860 bytes in "model"\./);
    assert.match(
      stderr,
      /into this new model directory\?\nAnswered by --yes\.\n/,
    );
    assert.match(stderr, /^config.json: verified, 659 bytes \(/m);
    assert.ok(!stderr.includes("\x1b"));
    assert.deepEqual(names("model"), VERIFIED);
    assert.equal(Deno.statSync("model").mode! & 0o777, 0o700);
    for (const name of VERIFIED) {
      assert.equal(Deno.statSync(`model/${name}`).mode! & 0o777, 0o600, name);
    }
    for (const [name, bytes] of WHOLE_CHECKPOINT.contents) {
      assert.deepEqual(Deno.readFileSync(`model/${name}`), bytes);
    }
    assert.equal(ledger().opt_ins[0].answer, "--yes");
    const again = await tinycoder(...ACQUIRE, "--json");
    assert.equal(again.code, 0, again.stderr);
    assert.equal(JSON.parse(again.stdout).status, "verified");
  },

  "a typed yes begins, anything else doesn't": async () => {
    for (const typed of ["no\r", "y\r", "\r", "yes please\r"]) {
      const { code, stdout } = await atTerminal(typed, ...ACQUIRE);
      assert.equal(code, 3, stdout);
      assert.match(stdout, /the answer was not yes/);
      assertUntouched();
    }
    const { code, stdout } = await atTerminal("yes\r", ...ACQUIRE);
    assert.equal(code, 0, stdout);
    assert.deepEqual(names("model"), VERIFIED);
    assert.equal(ledger().opt_ins[0].answer, "yes");
    assert.match(ledger().opt_ins[0].shown, /Transfer ceiling 1,200,000,000 /);
  },

  "without a terminal nothing begins unasked": async () => {
    const { code, stderr } = await tinycoder(...ACQUIRE);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /Read what is shown above, then add --yes\.\n$/);
    assertUntouched();
  },

  "an unsafe destination is refused, and nothing is created": async () => {
    Deno.mkdirSync("foreign/.git", { recursive: true });
    Deno.mkdirSync("empty");
    Deno.symlinkSync("empty", "linked");
    const before = names();
    const cases: [directory: string, says: RegExp][] = [
      ["foreign", /inside a repository|not made by an acquisition/],
      ["foreign/model", /inside the repository "foreign"/],
      ["empty", /it exists and was not made by an acquisition/],
      ["linked", /"linked" is a link/],
      ["linked/model", /"linked" is a link/],
      ["it.json", /"it.json" is not a folder/],
      ["../model", /does not lie below the current folder/],
      ["/model", /does not lie below the current folder/],
      ["absent/model", /its parent "absent" does not exist/],
      [".", /does not lie below the current folder/],
    ];
    for (const [directory, says] of cases) {
      const { code, stderr } = await tinycoder(
        "acquire",
        "--yes",
        "--checkpoint",
        "it.json",
        "--directory",
        directory,
      );
      assert.equal(code, 3, `${directory}: ${stderr}`);
      assert.match(stderr, says, directory);
      assert.equal(stderr.trim().split("\n").length, 2, stderr);
    }
    assert.deepEqual(names(), before);
    assert.deepEqual(names("empty"), []);
    assert.deepEqual(hub.seen, []);
  },

  "a signal settles the account, and the same command goes on": async () => {
    const child = spawn(TINYCODER, [...ACQUIRE, "--yes", "--json"]);
    hub.behave = stallsOnce(() => child.kill("SIGINT"));
    const first = await ended(child);
    assert.equal(first.code, 130, first.stderr);
    assert.equal(JSON.parse(first.stdout).error, "cancelled");
    assert.equal(ledger().bytes.reserved, 0);
    assert.equal(ledger().files[1].requests[0].outcome, "cancelled");
    const second = await tinycoder(...ACQUIRE, "--yes");
    assert.equal(second.code, 0, second.stderr);
    assert.deepEqual(names("model"), VERIFIED);
    assert.ok(hub.sent.bytes <= ledger().bytes.settled);
  },

  "after a kill the same command goes on": async () => {
    const child = spawn(TINYCODER, [...ACQUIRE, "--yes"]);
    hub.behave = stallsOnce(() => child.kill("SIGKILL"));
    assert.equal((await ended(child)).code, 137);
    assert.ok(ledger().bytes.reserved > 0);
    const second = await tinycoder(...ACQUIRE, "--yes");
    assert.equal(second.code, 0, second.stderr);
    assert.deepEqual(names("model"), VERIFIED);
    assert.match(
      ledger().files[1].requests[0].detail,
      /the process ended during the transfer/,
    );
    assert.ok(hub.sent.bytes <= ledger().bytes.settled);
  },

  "a start that was killed before its ledger is taken up": async () => {
    for (const leftover of [null, "acquisition.json.part"]) {
      Deno.mkdirSync("model", { mode: 0o700 });
      if (leftover !== null) Deno.writeTextFileSync(`model/${leftover}`, "{");
      const { code, stderr } = await tinycoder(...ACQUIRE, "--yes");
      assert.equal(code, 0, stderr);
      assert.deepEqual(names("model"), VERIFIED);
      Deno.removeSync("model", { recursive: true });
    }
  },

  "a proxy in the environment sees nothing of the command": async () => {
    const proxy = Deno.listen({ hostname: "127.0.0.1", port: 3128 });
    let connections = 0;
    (async () => {
      for await (const connection of proxy) {
        connections++;
        connection.close();
      }
    })();
    assert.match(Deno.env.get("HTTPS_PROXY") ?? "", /user:secret@.*:3128/);
    const { code, stderr } = await tinycoder(...ACQUIRE, "--yes");
    assert.equal(code, 0, stderr);
    assert.equal(connections, 0);
    for (const text of [stderr, JSON.stringify(ledger())]) {
      assert.doesNotMatch(text, /secret/);
    }
    proxy.close();
  },

  "a mismatch ends it with 4, a failed network with 1": async () => {
    hub.behave = (_, reply) =>
      reply.normal({ "X-Repo-Commit": "0".repeat(40) });
    const mismatch = await tinycoder(...ACQUIRE, "--yes", "--quiet");
    assert.equal(mismatch.code, 4, mismatch.stderr);
    assert.doesNotMatch(mismatch.stderr, /verified/);
    hub.behave = (_, reply) => reply.answer(500, {}, "");
    const failed = await tinycoder(
      ...ACQUIRE.map((word) => word === "model" ? "other" : word),
      "--yes",
    );
    assert.equal(failed.code, 1, failed.stderr);
  },

  "plan and doctor ask the network for nothing": async () => {
    const plan = await tinycoder("plan", "--checkpoint", "it.json", "--json");
    assert.equal(plan.code, 0, plan.stderr);
    assert.equal(JSON.parse(plan.stdout).total_bytes, 4_207_860);
    await tinycoder(...ACQUIRE, "--yes");
    hub.seen.length = 0;
    const doctor = await tinycoder(
      "doctor",
      "--checkpoint",
      "it.json",
      "--model-directory",
      "model",
      "--json",
    );
    assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr);
    const { ready, permissions } = JSON.parse(doctor.stdout);
    assert.equal(ready, true);
    assert.deepEqual(new Set(Object.values(permissions)), new Set(["denied"]));
    assert.deepEqual(hub.seen, []);
  },
};

await oneByOne(
  work,
  Object.entries(COMMANDS).map(([name, command]) => [name, async () => {
    hub.forget();
    await Deno.writeTextFile(
      "it.json",
      JSON.stringify(WHOLE_CHECKPOINT.declaration),
    );
    await command();
  }]),
);
hub.stop();
Deno.exit(0);
