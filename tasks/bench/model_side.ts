// deno-lint-ignore-file no-console -- a task speaks on the console
// The model worker, driven over stdin and stdout by tasks/bench/model.ts with
// the lines that tasks/bench/lab_adapter.py takes and answers.
//
// usage: deno run -A tasks/bench/model_side.ts FOLDER MANIFEST

import { readCheckpointManifest } from "../../lib/model/checkpoint_manifest.ts";
import { installEngine } from "../../lib/model/engine.ts";
import {
  ENGINE_THREADS,
  type FromModelWorker,
  readModelWorkerMessage,
  type ToModelWorker,
} from "../../lib/model/worker_protocol.ts";
import { TaskUsage } from "../usage.ts";

const usage = new TaskUsage(import.meta.url);
const [typedFolder, typedManifest] = usage.operands(2, 2);
const folder = usage.present("FOLDER", typedFolder, "folder");
const manifest = usage.present("MANIFEST", typedManifest, "file");
Deno.env.set("ORT_DISABLE_TELEMETRY", "1");

const engine = await Deno.makeTempDir();
const { binding } = await installEngine({ root: `${engine}/engine` });
const real = await Deno.realPath(folder);
const worker = new Worker(new URL("../../worker/model.ts", import.meta.url), {
  type: "module",
  deno: {
    permissions: {
      read: [real],
      ffi: [binding],
      env: ["ORT_DISABLE_TELEMETRY"],
    },
  },
});

function answer(call: ToModelWorker): Promise<FromModelWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<FromModelWorker>();
  worker.onmessage = ({ data }) => {
    const message = readModelWorkerMessage(data);
    if (message === null) reject(new TypeError("Not a message of the worker"));
    else if (message.type === "failed") reject(new Error(message.sentence));
    else if (!message.type.endsWith("progress")) resolve(message);
  };
  worker.postMessage(call);
  return promise;
}

/** What the process has in memory, or had at most, in bytes. */
function memoryBytes(field: "VmRSS" | "VmHWM"): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return 1_024 * Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)![1]);
}

const loaded = await answer({
  type: "load",
  call: 0,
  folder: real,
  binding,
  manifest: readCheckpointManifest(await Deno.readFile(manifest)),
  threads: ENGINE_THREADS,
}) as FromModelWorker & { type: "loaded" };
console.log(JSON.stringify({
  // Since the process began, reading this module included.
  ready_ms: performance.now(),
  elapsed_ms: loaded.facts["elapsed_ms"],
  versions: loaded.facts["versions"],
  memory_bytes: memoryBytes("VmRSS"),
  peak_bytes: memoryBytes("VmHWM"),
}));

let call = 0;
let rest = "";
for await (
  const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const parts = (rest + text).split("\n");
  rest = parts.pop()!;
  for (const line of parts) {
    const { messages, new_tokens } = JSON.parse(line);
    const began = performance.now();
    const { text: answered, facts } = await answer({
      type: "propose",
      call: ++call,
      messages,
      maxNewTokens: new_tokens,
    }) as FromModelWorker & { type: "proposal" };
    console.log(JSON.stringify({
      ms: performance.now() - began,
      input_tokens: facts.input_tokens,
      reused_tokens: facts.reused_tokens,
      output_ids: facts.raw_output_ids,
      text: answered,
      elapsed_ms: facts.elapsed_ms,
      memory_bytes: memoryBytes("VmRSS"),
      peak_bytes: memoryBytes("VmHWM"),
    }));
  }
}
await Deno.remove(engine, { recursive: true });
Deno.exit();
