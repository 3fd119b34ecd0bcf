// Runs inside the namespace: the lab's own limits, waited for: 60 s without a
// byte, and 20 minutes of a trickle. Prints one JSON line.
//
// usage: real_limits.ts AUTHORITY CERTIFICATE KEY WORK

import assert from "node:assert/strict";
import { FakeHub } from "./hub.ts";
import { WEIGHTS_BYTES, WHOLE_CHECKPOINT } from "./scenarios.ts";

const [authority, certificate, key, work] = Deno.args as [
  string,
  string,
  string,
  string,
];
const TINYCODER = new URL("../../tasks/tinycoder", import.meta.url).pathname;
const hub = await FakeHub.start(
  { authority, certificate, key },
  WHOLE_CHECKPOINT,
);
Deno.chdir(work);
await Deno.writeTextFile(
  "it.json",
  JSON.stringify(WHOLE_CHECKPOINT.declaration),
);

/** Acquires into a folder; seconds that it took, and how it ended. */
async function acquire(
  directory: string,
): Promise<{ seconds: number; code: number; stderr: string }> {
  const startedMs = performance.now();
  const { code, stderr } = await new Deno.Command(TINYCODER, {
    args: ["acquire", "--directory", directory, "--checkpoint", "it.json"]
      .concat(["--yes", "--quiet"]),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return {
    seconds: (performance.now() - startedMs) / 1000,
    code,
    stderr: new TextDecoder().decode(stderr),
  };
}

let stalls = 1;
hub.behave = async (request, reply) => {
  if (request.name !== "model.safetensors" || stalls-- <= 0) {
    return await reply.normal();
  }
  await reply.stall();
};
const stalled = await acquire("stalled");
assert.equal(stalled.code, 0, stalled.stderr);
assert.ok(stalled.seconds >= 60 && stalled.seconds < 75, `${stalled.seconds}`);

hub.behave = async (request, reply) => {
  if (request.stage === "resolve" || request.name !== "model.safetensors") {
    return await reply.normal();
  }
  await reply.head(200, { "Content-Length": String(WEIGHTS_BYTES) });
  for (let at = 0; at < WEIGHTS_BYTES; at += 64) {
    await reply.body(new Uint8Array(64));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};
const trickled = await acquire("trickled");
assert.equal(trickled.code, 3, trickled.stderr);
assert.match(trickled.stderr, /the time for acquiring, 20 minutes, is over/);
assert.ok(
  trickled.seconds >= 1_190 && trickled.seconds <= 1_202,
  `${trickled.seconds}`,
);
const ledger = JSON.parse(
  Deno.readTextFileSync("trickled/acquisition.json"),
);
assert.equal(ledger.bytes.reserved, 0);

const line = JSON.stringify({
  stalled_s: stalled.seconds,
  trickled_s: trickled.seconds,
});
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
hub.stop();
Deno.exit(0);
