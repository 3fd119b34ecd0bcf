// Runs inside the namespace: a file of the pinned weights' size through the real
// command, against curl and, where there is one, Hugging Face's own client, on
// the same server, file and disk, digest included. Prints one JSON line.
//
// usage: large.ts AUTHORITY CERTIFICATE KEY FOLDER ROUNDS [PYTHON]

import assert from "node:assert/strict";
import { REPOSITORY, REVISION, testCheckpoint } from "./checkpoint.ts";
import { FakeHub } from "./hub.ts";

const [authority, certificate, key, folder, rounds, python] = Deno.args as [
  string,
  string,
  string,
  string,
  string,
  string | undefined,
];
const TINYCODER = new URL("../../tasks/tinycoder", import.meta.url).pathname;
const NAME = "model.safetensors";
const WEIGHTS_BYTES = 988_097_824;
const ACQUIRE = ["acquire", "--directory", "model", "--checkpoint", "it.json"]
  .concat(["--yes", "--json"]);

const checkpoint = testCheckpoint({
  [NAME]: WEIGHTS_BYTES,
  // A command takes no checkpoint without them.
  ...{ "config.json": 1, "tokenizer.json": 1, "tokenizer_config.json": 1 },
});
const hub = await FakeHub.start(
  { authority, certificate, key },
  checkpoint,
  { direct: true },
);
Deno.chdir(folder);
await Deno.writeTextFile("it.json", JSON.stringify(checkpoint.declaration));

/** What a program took: seconds, and bytes of memory at most. */
interface Taken {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
}

/** Runs a program to its end; `kill` may end it before. */
async function measure(
  program: string,
  args: readonly string[],
  kill?: (bytesSent: number, end: () => void) => void,
): Promise<{ taken: Taken; code: number; stderr: string }> {
  const startedMs = performance.now();
  // The shell's `times` counts what its children took, and nothing else.
  const child = new Deno.Command("bash", {
    args: ["-c", '"$@" & echo $! >&3; wait $!; code=$?; times >&3; exit $code']
      .concat(["bash", program, ...args]).map((word, index) =>
        index === 1 ? `exec 3>taken; ${word}` : word
      ),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let peak = 0;
  const look = setInterval(() => {
    const pid = read("taken").split("\n")[0]!;
    const high = /VmHWM:\s+([0-9]+) kB/.exec(read(`/proc/${pid}/status`));
    peak = Math.max(peak, Number(high?.[1] ?? 0) * 1024);
    kill?.(hub.sent.bytes, () => Deno.kill(Number(pid), "SIGKILL"));
  }, 20);
  const { code, stderr } = await child.output();
  clearInterval(look);
  const wall = (performance.now() - startedMs) / 1000;
  const cpu = [
    ...read("taken").split("\n").slice(2).join(" ")
      .matchAll(/([0-9]+)m([0-9.]+)s/g),
  ]
    .reduce(
      (sum, [, minutes, seconds]) =>
        sum + Number(minutes) * 60 + Number(seconds),
      0,
    );
  return {
    taken: { wall, cpu, peak },
    code,
    stderr: new TextDecoder().decode(stderr),
  };
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

async function clear(): Promise<void> {
  for (const name of ["model", "by_curl", "by_hub_client"]) {
    await Deno.remove(name, { recursive: true }).catch(() => {});
  }
  hub.forget();
}

const url = `https://huggingface.co/${REPOSITORY}/resolve/${REVISION}/${NAME}`;
const BY_CURL = `curl -sSL --cacert "$1" -o by_curl "$2" && sha256sum by_curl`;
const BY_HUB_CLIENT = `
import hashlib, sys
from huggingface_hub import hf_hub_download
path = hf_hub_download(sys.argv[1], sys.argv[2], revision=sys.argv[3], cache_dir="by_hub_client")
with open(path, "rb") as file:
    print(hashlib.file_digest(file, "sha256").hexdigest())
`;

const programs: Record<string, () => ReturnType<typeof measure>> = {
  tinycoder: () => measure(TINYCODER, ACQUIRE),
  curl: () => measure("bash", ["-c", BY_CURL, "bash", authority, url]),
  ...(python === undefined ? {} : {
    hub_client: () =>
      measure("env", [
        `REQUESTS_CA_BUNDLE=${authority}`,
        `SSL_CERT_FILE=${authority}`,
        "HF_HUB_DISABLE_PROGRESS_BARS=1",
        "HF_HUB_DISABLE_XET=1",
        "HF_HUB_DISABLE_TELEMETRY=1",
        python,
        "-c",
        BY_HUB_CLIENT,
        REPOSITORY,
        NAME,
        REVISION,
      ]),
  }),
};
const all: Record<string, Taken[]> = {};
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, program] of Object.entries(programs)) {
    await clear();
    const { code, taken, stderr } = await program();
    assert.equal(code, 0, `${name}: ${stderr}`);
    (all[name] ??= []).push(taken);
  }
}

// A kill after half, then the same command again.
await clear();
let isKilled = false;
const first = await measure(TINYCODER, ACQUIRE, (sent, end) => {
  if (isKilled || sent < WEIGHTS_BYTES / 2) return;
  isKilled = true;
  end();
});
assert.notEqual(first.code, 0);
const kept = Deno.statSync(`model/${NAME}.part`).size;
const resumed = await measure(TINYCODER, ACQUIRE);
assert.equal(resumed.code, 0, resumed.stderr);
const ledger = JSON.parse(Deno.readTextFileSync("model/acquisition.json"));
assert.equal(ledger.status, "verified");
assert.equal(ledger.files[0].requests[1].from_byte, kept);
assert.ok(hub.sent.bytes <= ledger.bytes.settled);
await clear();

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const medians = Object.fromEntries(
  Object.entries(all).map(([name, taken]) => [name, {
    wall_s: median(taken.map(({ wall }) => wall)),
    cpu_s: median(taken.map(({ cpu }) => cpu)),
    peak_mb: median(taken.map(({ peak }) => peak)) / 1e6,
  }]),
);
const line = JSON.stringify({
  bytes: WEIGHTS_BYTES,
  rounds: Number(rounds),
  medians,
  resumed: {
    kept,
    wall_s: resumed.taken.wall,
    peak_mb: resumed.taken.peak / 1e6,
    counted: ledger.bytes.settled,
  },
});
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
hub.stop();
Deno.exit(0);
