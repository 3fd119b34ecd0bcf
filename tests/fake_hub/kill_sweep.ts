// Runs inside the namespace: acquisitions killed at random instants. Prints how
// many ended in each way as one JSON line; fails at the first damaged one.
//
// usage: kill_sweep.ts AUTHORITY CERTIFICATE KEY WORK COUNT SEED

import assert from "node:assert/strict";
import { LAB_LIMITS } from "../../lib/acquire/limits.ts";
import { type Behaviour, FakeHub } from "./hub.ts";
import { CHECKPOINT } from "./scenarios.ts";

const [authority, certificate, key, work, count, seed] = Deno.args as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const TINYCODER = new URL("../../tasks/tinycoder", import.meta.url).pathname;
const ACQUIRE = ["acquire", "--directory", "model", "--checkpoint", "it.json"]
  .concat(["--yes", "--json"]);
const hub = await FakeHub.start({ authority, certificate, key }, CHECKPOINT);
let state = Number(seed);

/** A number from 0 to 1 that the seed determines (mulberry32). */
function random(): number {
  state = state + 0x6d2b79f5 | 0;
  let mixed = Math.imul(state ^ state >>> 15, 1 | state);
  mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
  return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  args: readonly string[],
  killAfterMs: number | null,
): Promise<Ended> {
  const child = new Deno.Command(TINYCODER, {
    args: [...args],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = killAfterMs === null ? undefined : setTimeout(() => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It had ended by itself.
    }
  }, killAfterMs);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(timer);
  return {
    code,
    stdout: new TextDecoder().decode(stdout),
    stderr: new TextDecoder().decode(stderr),
  };
}

function assertWhole(): void {
  for (const [name, bytes] of CHECKPOINT.contents) {
    assert.deepEqual(Deno.readFileSync(`model/${name}`), bytes, name);
  }
  const { status, bytes } = JSON.parse(
    Deno.readTextFileSync("model/acquisition.json"),
  );
  assert.equal(status, "verified");
  assert.ok(bytes.settled <= LAB_LIMITS.ceilingBytes);
  assert.ok(hub.sent.bytes <= bytes.settled, `${hub.sent.bytes} were sent`);
}

/** Sends content slowly, so that most kills fall into a transfer. */
const slowly: Behaviour = async (request, reply) => {
  const bytes = CHECKPOINT.contents.get(request.name)!;
  if (request.stage !== "content") return await reply.normal();
  await reply.head(request.fromByte === 0 ? 200 : 206, {
    "Content-Length": String(bytes.length - request.fromByte),
    ...(request.fromByte === 0 ? {} : {
      "Content-Range": `bytes ${request.fromByte}-${bytes.length - 1}/` +
        bytes.length,
    }),
  });
  for (let at = request.fromByte; at < bytes.length; at += 65_536) {
    await reply.body(bytes.subarray(at, at + 65_536));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

Deno.chdir(work);
await Deno.writeTextFile("it.json", JSON.stringify(CHECKPOINT.declaration));
await Deno.mkdir("files");
for (const [name, bytes] of CHECKPOINT.contents) {
  await Deno.writeFile(`files/${name}`, bytes);
}
hub.behave = slowly;
const startedMs = performance.now();
assert.equal((await run(ACQUIRE, null)).code, 0);
const wholeMs = performance.now() - startedMs;

const outcomes: Record<string, number> = {};
for (let round = 0; round < Number(count); round++) {
  await Deno.remove("model", { recursive: true });
  hub.forget();
  hub.behave = slowly;
  const kills = 1 + Math.floor(random() * 3);
  let last: Ended = { code: -1, stdout: "", stderr: "" };
  let killed = 0;
  for (let kill = 0; kill < kills; kill++) {
    last = await run(ACQUIRE, random() * wholeMs);
    if (last.code !== 137) break;
    killed++;
  }
  if (last.code === 137) last = await run(ACQUIRE, null);
  let outcome = `${killed} kills, verified`;
  if (last.code !== 0) {
    assert.match(last.stderr, /--from DIR/, last.stderr);
    outcome = `${killed} kills, ${
      last.stderr.match(/retry|budget/)?.[0]
    }, --from`;
    const copied = await run([...ACQUIRE, "--from", "files"], null);
    assert.equal(copied.code, 0, copied.stderr);
  }
  assertWhole();
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
const line = JSON.stringify({ seed: Number(seed), wholeMs, outcomes });
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
hub.stop();
Deno.exit(0);
