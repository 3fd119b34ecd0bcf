import assert from "node:assert/strict";
import { EVERY_TOOL, scenarioFolder } from "../../../tests/scenario_tools.ts";
import { readScenarios } from "./catalogue.ts";
import type { FolderScenario, RunScenario, Scenario } from "./format.ts";
import { runScenario } from "./run.ts";

function named<S extends Scenario = RunScenario>(name: string): S {
  const found = readScenarios().find((scenario) => scenario.name === name);
  assert.ok(found, name);
  return structuredClone(found) as S;
}

/** What is found where a scenario was changed so that it can't hold. */
async function findingsOf(scenario: Scenario): Promise<readonly string[]> {
  using room = scenarioFolder();
  const outcome = await runScenario(scenario, {
    folder: room.path,
    tools: EVERY_TOOL,
  });
  return outcome.outcome === "failed" ? outcome.findings : [];
}

Deno.test("runScenario() tells each expectation that doesn't hold", async () => {
  const baseline = named("baseline");
  const { expect } = baseline;
  const changed: readonly [Partial<RunScenario["expect"]>, string][] = [
    [
      { observations: expect.observations.slice(1) },
      "observations has 6 items, not 5",
    ],
    [
      { observations: expect.observations.with(1, { passed: 1 }) },
      "observations[1].passed is 0, not 1",
    ],
    [
      { final: { ...expect.final, stop_reason: "cancelled" } },
      'final.stop_reason is "finish_accepted", not "cancelled"',
    ],
    [{ on_disk: "changed" }, 'on_disk is "as_recorded", not "changed"'],
    [{ backups: ["toy_math.py.v0"] }, "backups has 2 items, not 1"],
    [{ workspace: ["TASK.txt"] }, "workspace has 2 items, not 1"],
    [
      { records: [{ event: "edit_fault" }] },
      'no further record is {"event":"edit_fault"}',
    ],
    [
      { records: [{ event: "run_ended" }, { event: "edit_intent" }] },
      'no further record is {"event":"edit_intent"}',
    ],
    [{ absent: ["edit_intent"] }, 'a record "edit_intent" is there'],
    [
      { last_request: { contains: ["absent"], lacks: ["STATE:"] } },
      'the last request lacks "absent"',
    ],
    [
      { last_request: { contains: [], lacks: ["STATE:"] } },
      'the last request contains "STATE:"',
    ],
  ];
  for (const [part, says] of changed) {
    const findings = await findingsOf({
      ...baseline,
      expect: { ...expect, ...part },
    });
    assert.equal(findings[0], says);
  }
});

Deno.test("runScenario() compares digests, in the report and on disk", async () => {
  const baseline = named("baseline");
  baseline.expect.source = { clamp: "x", total: "unit" };
  const findings = await findingsOf(baseline);
  assert.equal(findings.length, 2);
  assert.match(findings[0] ?? "", /^final\.sha256 is "[0-9a-f]{64}", not "/);
  assert.equal(findings[1], 'on_disk is "changed", not "as_recorded"');
});

Deno.test("runScenario() tells an act that never came about, and a fault that nothing met", async () => {
  const baseline = named("baseline");
  const act = { proposal: 1, point: "before_rename", does: { act: "cancel" } };
  const fault = {
    act: "fault",
    operation: "open",
    file: "workspace/absent",
    code: "EIO",
    times: 1,
    performed: false,
  };
  baseline.injected = [act, { point: "after_loop", does: fault }] as never;
  assert.deepEqual(await findingsOf(baseline), [
    `no run came to ${JSON.stringify(act)}`,
    `nothing met ${JSON.stringify(fault)}`,
  ]);
});

Deno.test("runScenario() tells a folder that was made, and another refusal", async () => {
  const scenario = named<FolderScenario>("destination_exists");
  assert.deepEqual(await findingsOf({ ...scenario, before: [] }), [
    "the folder was made",
  ]);
  const findings = await findingsOf({ ...scenario, destination: "../taken" });
  assert.equal(findings.length, 1);
  assert.match(findings[0] ?? "", /^it says "Cannot create the run folder/);
});

Deno.test("runScenario() skips what can't be done, and says why", async () => {
  using room = scenarioFolder();
  assert.deepEqual(
    await runScenario(named("symlink_to_source"), {
      folder: room.path,
      tools: { ...EVERY_TOOL, symlink: "there are no links" },
    }),
    { outcome: "skipped", reason: "there are no links" },
  );
  assert.deepEqual([...Deno.readDirSync(room.path)], []);
});

Deno.test("runScenario() writes the same bytes every time", async () => {
  const conduct = async (scenario: RunScenario) => {
    using room = scenarioFolder();
    await runScenario(scenario, { folder: room.path, tools: EVERY_TOOL });
    return ["manifest.json", "audit.jsonl", "final.json"].map((name) =>
      Deno.readTextFileSync(`${room.path}/run/${name}`)
    );
  };
  for (const name of ["baseline", "rename_done_but_reported_failed"]) {
    const scenario = named(name);
    assert.deepEqual(await conduct(scenario), await conduct(scenario));
  }
});
