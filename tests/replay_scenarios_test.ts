// Every scenario that makes a run: its evidence holds, whatever was done to it
// from outside, and its replay equals it.

import assert from "node:assert/strict";
import { readScenarios } from "../lib/cli/scenarios/catalogue.ts";
import type { RunScenario } from "../lib/cli/scenarios/format.ts";
import { runScenario } from "../lib/cli/scenarios/run.ts";
import { verifyFolder } from "../lib/cli/verify.ts";
import { diskFiles } from "../lib/system/files.ts";
import { verifyMutant } from "./mutation_sweep.ts";
import { recordsOf, replayed } from "./replayed_run.ts";
import { EVERY_TOOL, scenarioFolder } from "./scenario_tools.ts";

const runs = readScenarios().filter((one): one is RunScenario =>
  "injected" in one
);

/** Observations that no action made are in no audit; see the test below. */
const derivable = runs.filter(({ observations }) => observations.length === 0);

/** Conducts a scenario, and returns its run's folder. */
async function conducted(scenario: RunScenario, room: string): Promise<string> {
  const folder = { folder: room, tools: EVERY_TOOL };
  assert.deepEqual(await runScenario(scenario, folder), { outcome: "passed" });
  return Deno.realPathSync(`${room}/run`);
}

Deno.test("verifyRun() holds for every scenario's run", async () => {
  const refused: string[] = [];
  for (const scenario of derivable) {
    using room = scenarioFolder();
    const folder = await conducted(scenario, room.path);
    const { discrepancy } = await verifyFolder(diskFiles, folder, "run");
    if (discrepancy !== null) {
      refused.push(`${scenario.name}: ${JSON.stringify(discrepancy)}`);
    }
  }
  assert.deepEqual(refused, []);
});

Deno.test("replay of every scenario's run equals its original, and verifies", async () => {
  const differing: string[] = [];
  for (const scenario of derivable) {
    using room = scenarioFolder();
    const folder = await conducted(scenario, room.path);
    const files = new Map(
      ["manifest.json", "audit.jsonl"].map((name) => [
        name,
        Deno.readFileSync(`${folder}/${name}`),
      ]),
    );
    const { comparison, files: fresh } = await replayed(files);
    const { discrepancy } = await verifyMutant(fresh);
    assert.equal(discrepancy, null, scenario.name);
    const { length } = recordsOf(files).records;
    const { divergence, agreed, recordedToEnd } = comparison;
    if (divergence !== null || agreed !== length || !recordedToEnd) {
      differing.push(`${scenario.name}: ${JSON.stringify(divergence)}`);
    }
  }
  assert.deepEqual(differing, []);
});

Deno.test("verifyRun() refuses observations that no action made", async () => {
  const injected = runs.filter((one) => !derivable.includes(one));
  assert.ok(injected.length > 0);
  for (const scenario of injected) {
    using room = scenarioFolder();
    const folder = await conducted(scenario, room.path);
    const { discrepancy } = await verifyFolder(diskFiles, folder, "run");
    assert.equal(discrepancy?.event, 1, scenario.name);
    assert.equal(discrepancy.field, "content.messages.1.content");
  }
});
