// Runs inside the namespace: acquisitions killed at random instants, until there
// were COUNT kills. Prints how many ended in each way as one JSON line; fails at
// the first damaged one.
//
// usage: kill_sweep.ts AUTHORITY CERTIFICATE KEY WORK COUNT SEED

import assert from "node:assert/strict";
import { LAB_LIMITS } from "../../lib/acquire/limits.ts";
import { Outcomes } from "../../tasks/sweep/outcomes.ts";
import { RandomNumbers } from "../../tasks/sweep/random_numbers.ts";
import { type Behaviour, FakeHub } from "./hub.ts";
import { WHOLE_CHECKPOINT } from "./scenarios.ts";

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
const hub = await FakeHub.start(
  { authority, certificate, key },
  WHOLE_CHECKPOINT,
);
const random = new RandomNumbers(Number(seed));

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

/** Whatever became of an acquisition, a person can read it. */
function assertReadable({ stderr }: Ended): void {
  assert.doesNotMatch(stderr, /^\s+at |file:\/\/|Error:|backtrace|panicked/m);
}

function assertWhole(): void {
  for (const [name, bytes] of WHOLE_CHECKPOINT.contents) {
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
  const bytes = WHOLE_CHECKPOINT.contents.get(request.name)!;
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
await Deno.writeTextFile(
  "it.json",
  JSON.stringify(WHOLE_CHECKPOINT.declaration),
);
await Deno.mkdir("files");
for (const [name, bytes] of WHOLE_CHECKPOINT.contents) {
  await Deno.writeFile(`files/${name}`, bytes);
}
hub.behave = slowly;
const startedMs = performance.now();
const whole = await run(ACQUIRE, null);
assert.equal(whole.code, 0, whole.stderr);
const wholeMs = performance.now() - startedMs;

const outcomes = new Outcomes();
let allKills = 0;
while (allKills < Number(count)) {
  await Deno.remove("model", { recursive: true });
  hub.forget();
  hub.behave = slowly;
  const kills = 1 + random.below(3);
  let last: Ended = { code: -1, stdout: "", stderr: "" };
  let killed = 0;
  for (let kill = 0; kill < kills; kill++) {
    last = await run(ACQUIRE, random.next() * wholeMs);
    if (last.code !== 137) break;
    killed++;
  }
  allKills += killed;
  if (last.code === 137) last = await run(ACQUIRE, null);
  assertReadable(last);
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
  outcomes.add(outcome);
}
const line = JSON.stringify({
  seed: Number(seed),
  wholeMs,
  kills: allKills,
  acquisitions: outcomes.total,
  outcomes,
});
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
hub.stop();
Deno.exit(0);
