// A run's record may be made under any clock: what follows from the facts is the
// same, every view can be made, and nothing takes wall times for an order.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import type { JsonObject } from "../lib/agent/json.ts";
import { paint } from "../lib/cli/colors.ts";
import { evidenceOf } from "../lib/cli/lab_evidence.ts";
import { conductLabRun } from "../lib/cli/lab_run.ts";
import { LAB_WORDS } from "../lib/cli/lab_task_words.ts";
import { openRunView } from "../lib/cli/lab_view.ts";
import { runViewJson } from "../lib/evidence/run_view_json.ts";
import { showText } from "../lib/cli/show.ts";
import { verifyFolder } from "../lib/cli/verify.ts";
import { atifTrajectory } from "../lib/evidence/atif.ts";
import { recoverRun } from "../lib/evidence/recovery.ts";
import { runReport } from "../lib/evidence/report/run_report.ts";
import { labTools } from "../lib/lab/lab_tools.ts";
import { scriptedSource } from "../lib/source/scripted_source.ts";
import baseline from "../fixtures/baseline.json" with { type: "json" };
import {
  freshFolder,
  openGate,
  unflushedFiles,
} from "./baseline_in_process.ts";
import { declaredManifest } from "./declared_manifest.ts";
import { WanderingClock } from "./wandering_clock.ts";

const STEADY = ["2026-03-01T12:00:00.000Z"];

/** How a wall clock can go, and the other one's step in milliseconds. */
const WAYS: readonly (readonly [string, readonly string[], number])[] = [
  ["is set back by hours", ["2026-03-01T12:00:00Z", "2026-03-01T09:00:00Z"], 1],
  [
    "is set ahead by years",
    ["2026-03-01T12:00:00Z", "2062-01-01T00:00:00Z"],
    1,
  ],
  ["begins in 1970", ["1970-01-01T00:00:00Z", "2026-03-01T12:00:00Z"], 1],
  ["goes before 1970", ["1969-12-31T23:59:59.999Z", "1901-12-13T20:45:52Z"], 1],
  ["repeats a second", [
    "2016-12-31T23:59:59.500Z",
    "2016-12-31T23:59:59.999Z",
    "2016-12-31T23:59:59.500Z",
    "2017-01-01T00:00:00.000Z",
  ], 1],
  ["is at the ends of ISO 8601", [
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
  ], 1],
  ["stands still, and the other one too", STEADY, 0],
  ["wanders, and the other one stands", [
    "1970-01-01T00:00:00Z",
    "2262-04-11T00:00:00Z",
  ], 0],
];

/** Conducts the baseline under a clock. */
async function conduct(
  folder: string,
  clock: WanderingClock,
): Promise<JsonObject> {
  return await conductLabRun({
    files: unflushedFiles,
    folder,
    manifest: declaredManifest({
      runId: "00000000-0000-4000-8000-000000000000",
      created: clock.wallTime(),
    }),
    source: scriptedSource(baseline),
    gate: openGate,
    clock,
  });
}

/** A report without what only clocks decide: times, and the chain over them. */
function timeless({ elapsed_ms: _, audit, ...rest }: JsonObject): JsonObject {
  return { ...rest, count: (audit as JsonObject)["count"]! };
}

for (const [way, walls, stepMs] of WAYS) {
  Deno.test(`a run, its recovery and its views hold where the wall clock ${way}`, async () => {
    using steady = freshFolder();
    const expected = await conduct(steady.path, new WanderingClock(STEADY, 1));
    using folder = freshFolder();
    const clock = new WanderingClock(walls, stepMs);
    const final = await conduct(folder.path, clock);
    assert.deepEqual(timeless(final), timeless(expected));
    const records = fs.readFileSync(`${folder.path}/audit.jsonl`, "utf8");
    assert.deepEqual(
      [...records.matchAll(/"wall_time":"([^"]+)"/g)].map(([, wall]) => wall),
      clock.shown.slice(1),
    );
    await assertViews(folder.path);

    fs.rmSync(`${folder.path}/final.json`);
    const { final: recovered } = await recoverRun({
      files: unflushedFiles,
      folder: folder.path,
      clock: new WanderingClock([...walls].reverse(), stepMs),
      evidenceOf: evidenceOf(unflushedFiles, folder.path),
    });
    assert.equal(recovered["stop_reason"], "finish_accepted");
    await assertViews(folder.path);
  });
}

/** The evidence holds, and whoever looks at the run sees all of it. */
async function assertViews(folder: string): Promise<void> {
  const { discrepancy } = await verifyFolder(unflushedFiles, folder, "run");
  assert.equal(discrepancy, null);
  const view = openRunView(
    { ...unflushedFiles, realPath: (path) => path === "run" ? folder : path },
    "run",
  );
  assert.deepEqual(view.findings, []);
  assert.equal(view.proposals.length, 6);
  assert.equal((runViewJson(view)["proposals"] as unknown[]).length, 6);
  const shown = { colors: paint(false), full: true };
  assert.match(showText(view, "run", LAB_WORDS, shown), /finish_accepted/);
  assert.match(runReport(view, "run", LAB_WORDS), /finish_accepted/);
  const { steps } = atifTrajectory(view, labTools());
  for (const { timestamp } of steps as { timestamp: string }[]) {
    assert.equal(new Date(timestamp).toISOString(), timestamp);
  }
}
