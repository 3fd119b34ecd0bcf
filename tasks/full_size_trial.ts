// deno-lint-ignore-file no-console -- a task speaks on the console
// One trial of the real program with a checkpoint of the pinned size. It must end
// within the run's time, leave evidence that verifies, and never have more than
// 2.8 GB in memory. Random weights say nothing that is admitted, so that it ends
// with the second proposal; six calls and their memory are measured by
// `deno task bench --model`. Exits with 1 if something isn't as it must be.
//
// usage: deno run -A tasks/full_size_trial.ts FOLDER MANIFEST
//
// Both as tasks/make_checkpoint.ts wrote them, MANIFEST beside FOLDER, outside
// any repository. The run and the engine's files come beside them; the run is
// removed at the end.

import { parse } from "node:path";
import type { JsonObject } from "../lib/agent/json.ts";
import { RUN_MS } from "../lib/supervisor/deadline_gate.ts";
import { launch, tinycoder } from "../tests/launched.ts";
import { TaskUsage } from "./usage.ts";

/** Most memory of the whole process, in bytes. */
const MOST_BYTES = 2.8e9;
/** Between two looks at the memory, whose peak the system keeps; in ms. */
const LOOK_MS = 100;

const usage = new TaskUsage(import.meta.url);
const [typedFolder, typedManifest] = usage.operands(2, 2);
const folder = usage.present("FOLDER", typedFolder, "folder");
const manifest = usage.present("MANIFEST", typedManifest, "file");
const { dir, base } = parse(await Deno.realPath(folder));
const run = `trial-${crypto.randomUUID()}`;
const startedAt = performance.now();
const child = launch(dir, [
  ...["--run", run, "--model-directory", base],
  ...["--checkpoint", parse(manifest).base, "--yes", "--json"],
  ...["--extension", "random weights of the pinned size"],
]);
let peakBytes = 0;
const looking = setInterval(() => {
  peakBytes = Math.max(peakBytes, peakOf(child.pid));
}, LOOK_MS);
const { code, stdout, stderr } = await child.output();
clearInterval(looking);
const seconds = (performance.now() - startedAt) / 1_000;
if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
try {
  const { code: verified } = await tinycoder(dir, ["verify", run]);
  const final: JsonObject = JSON.parse(new TextDecoder().decode(stdout));
  const audit = await Deno.readTextFile(`${dir}/${run}/audit.jsonl`);
  const loaded: JsonObject = audit.split("\n", 20)
    .filter((line) => line !== "").map((line) => JSON.parse(line))
    .find(({ event }) => event === "model_loaded").content;
  console.log(JSON.stringify(
    {
      stop_reason: final["stop_reason"],
      proposals: final["proposals"],
      seconds: Math.round(seconds),
      loading_ms: (loaded["source_facts"] as JsonObject)["elapsed_ms"],
      peak_mb: Math.round(peakBytes / 1e6),
      verified: verified === 0,
      load_of_the_machine: Deno.loadavg().map((load) => load.toFixed(2)),
    },
    null,
    2,
  ));
  const asItMustBe = verified === 0 &&
    final["stop_reason"] === "invalid_proposal_limit" &&
    seconds * 1_000 < RUN_MS && peakBytes > 0 && peakBytes < MOST_BYTES;
  Deno.exitCode = asItMustBe ? 0 : 1;
} finally {
  await Deno.remove(`${dir}/${run}`, { recursive: true });
}

/** Most memory that a process has had, in bytes; 0 if it is gone. */
function peakOf(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return 1_024 * Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}
