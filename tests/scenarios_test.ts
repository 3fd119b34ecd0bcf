// Lab Part 7, all of it: each scenario is a test of its own, and none is skipped.
// That the scenarios leave no code, stop or point out is tested as well.

import assert from "node:assert/strict";
import { readScenarios } from "../lib/cli/scenarios/catalogue.ts";
import {
  ATTEMPT_POINTS,
  ENDING_POINTS,
  type RunScenario,
} from "../lib/cli/scenarios/format.ts";
import { runScenario } from "../lib/cli/scenarios/run.ts";
import { DENIALS } from "../lib/lab/contract/denial_codes.ts";
import { LAB_FACTS } from "../lib/lab/lab_catalogue.ts";
import { MAX_OBSERVATION_BYTES } from "../lib/lab/observation.ts";
import { alterationSchema } from "../lib/cli/scenarios/tampering_format.ts";
import { EVERY_TOOL, scenarioFolder } from "./scenario_tools.ts";

const scenarios = readScenarios();
const runs = scenarios.filter((one): one is RunScenario => "injected" in one);

for (const scenario of scenarios) {
  Deno.test(`scenario ${scenario.name}: ${scenario.shows}`, async () => {
    using room = scenarioFolder();
    assert.deepEqual(
      await runScenario(scenario, { folder: room.path, tools: EVERY_TOOL }),
      { outcome: "passed" },
    );
  });
}

Deno.test("scenarios expect every denial code that a proposal can meet", () => {
  const expected = runs.flatMap(({ expect }) =>
    expect.observations.map(({ error }) => error)
  );
  assert.deepEqual(
    missing(Object.keys(DENIALS), expected),
    OUT_OF_REACH,
  );
});

Deno.test("scenarios expect every stop reason that a proposal can meet", () => {
  const stops = [
    "finish_accepted",
    "proposal_limit",
    "invalid_proposal_limit",
    "context_limit",
    "observation_limit",
    "time_limit",
    "cancelled",
    "model_error",
    "workspace_conflict",
    "harness_error",
  ];
  const expected = runs.map(({ expect }) => expect.final.stop_reason);
  assert.deepEqual(missing(stops, expected), OUT_OF_REACH);
});

Deno.test("scenarios expect every status of the final evaluation of a living process", () => {
  const statuses = [
    "performed",
    "deadline",
    "interrupted",
    "unsafe",
    "workspace_conflict",
  ];
  const expected = runs.map(({ expect }) => expect.final.final_evaluation);
  assert.deepEqual(missing(statuses, expected), []);
});

Deno.test("scenarios act at every point, and find every kind of change and fault", () => {
  const points = runs.flatMap(({ injected }) =>
    injected.map(({ point }) => point)
  );
  assert.deepEqual(missing([...ATTEMPT_POINTS, ...ENDING_POINTS], points), []);

  const contents = runs.flatMap(({ expect }) =>
    expect.records.map(({ content }) => content ?? {})
  ) as Record<string, unknown>[];
  const { file_changed, edit_fault } = LAB_FACTS;
  for (
    const [field, values] of [
      ["finding", file_changed.shape.finding.options],
      ["step", edit_fault.shape.step.options],
      ["found", edit_fault.shape.found.options],
    ] as const
  ) {
    const expected = contents.map((content) => content[field]);
    assert.deepEqual(missing(values, expected), [], field);
  }
});

Deno.test("scenarios can't reach observation_limit: the biggest observation has room to spare", async () => {
  using room = scenarioFolder();
  const clamp = `x${" ".repeat(256 - 1 - 4)}+ lo`;
  const total = `unit${" ".repeat(256 - 4 - 5)}+ fee`;
  const biggest: RunScenario = {
    format: "tinycoder/scenario",
    format_version: 1,
    name: "biggest_observation",
    shows: "The biggest observation is that of a read.",
    lab_part: "5",
    attempts: [
      { action: "read", file: "toy_math.py" },
      {
        action: "replace",
        function: "clamp",
        old: "x",
        new: clamp,
        version: 0,
      },
      {
        action: "replace",
        function: "total",
        old: "unit + qty + fee",
        new: total,
        version: 1,
      },
      { action: "read", file: "toy_math.py" },
      { action: "test" },
      { action: "read", file: "TASK.txt" },
    ].map((action) => JSON.stringify(action)),
    injected: [],
    observations: [],
    expect: {
      observations: [{}, {}, {}, {}, {}, {}],
      final: {
        stop_reason: "proposal_limit",
        detail: null,
        proposals: 6,
        invalid_proposals: 0,
        version: 2,
        final_evaluation: "performed",
        verified_success: false,
      },
      source: { clamp, total },
      on_disk: "as_recorded",
      backups: ["toy_math.py.v0", "toy_math.py.v1"],
      workspace: ["TASK.txt", "toy_math.py"],
      records: [],
      absent: [],
    },
  };
  assert.deepEqual([clamp.length, total.length], [256, 256]);
  assert.deepEqual(
    await runScenario(biggest, { folder: room.path, tools: EVERY_TOOL }),
    { outcome: "passed" },
  );
  const sizes = Deno.readTextFileSync(`${room.path}/run/audit.jsonl`)
    .trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ event }) => event === "observation_made")
    .map(({ content }) => JSON.stringify(content.observation).length);
  assert.ok(Math.max(...sizes) < MAX_OBSERVATION_BYTES, `${sizes}`);
});

Deno.test("scenarios alter runs in every way, and every check refuses one", () => {
  const tampered = scenarios.filter((one) => "tampering" in one);
  const ways = alterationSchema.options.map(({ shape }) => shape.alter.value);
  const used = tampered.flatMap(({ tampering }) =>
    tampering.map((one) => "alter" in one ? one.alter : one.act)
  );
  assert.deepEqual(missing(ways, used), []);
  const checks = [
    "manifest",
    "files",
    "records",
    "facts",
    "derived events",
    "recovery",
    "final report",
    "backups",
    "workspace",
    "signature",
  ];
  const found = tampered.map(({ expect }) =>
    expect === "holds" ? expect : expect.check
  );
  assert.deepEqual(missing(checks, found), []);
});

/** No proposal makes an observation that big; `bounded` has its own test. */
const OUT_OF_REACH = ["observation_limit"];

function missing(all: readonly string[], found: readonly unknown[]): string[] {
  return all.filter((one) => !found.includes(one));
}
