import assert from "node:assert/strict";
import { EVERY_TOOL, scenarioFolder } from "../../../tests/scenario_tools.ts";
import { readScenarios } from "./catalogue.ts";
import { findEvidenceFaults } from "./evidence.ts";
import type { RunScenario } from "./format.ts";
import { runScenario } from "./run.ts";

/** Conducts a scenario and hands its folder on for tampering. */
async function evidenceOf(name: string) {
  const room = scenarioFolder();
  const folder = `${room.path}/run`;
  const scenario = readScenarios().find((one) => one.name === name);
  await runScenario(scenario!, { folder: room.path, tools: EVERY_TOOL });
  const final = JSON.parse(Deno.readTextFileSync(`${folder}/final.json`));
  const { observations } = scenario as RunScenario;
  const change = (file: string, edited: (text: string) => string) => {
    const path = `${folder}/${file}`;
    const text = Deno.readTextFileSync(path);
    assert.notEqual(edited(text), text);
    Deno.writeTextFileSync(path, edited(text));
  };
  return {
    change,
    find: (changes: { observations?: RunScenario["observations"] } = {}) =>
      findEvidenceFaults(
        { folder, final, observations, ...changes } as never,
      ),
    [Symbol.dispose]: () => room[Symbol.dispose](),
  };
}

Deno.test("findEvidenceFaults() finds none in a run's own evidence", async () => {
  using run = await evidenceOf("baseline");
  assert.deepEqual(await run.find(), []);
});

Deno.test("findEvidenceFaults() finds a report that isn't the run's", async () => {
  using run = await evidenceOf("baseline");
  run.change(
    "final.json",
    (text) => text.replace('"proposals": 6', '"proposals": 5'),
  );
  assert.deepEqual(await run.find(), ["final.json isn't the final report"]);
});

Deno.test("findEvidenceFaults() finds a changed record, a tail and a cut end", async () => {
  const faultsOf = async (edited: (audit: string) => string) => {
    using run = await evidenceOf("baseline");
    run.change("audit.jsonl", edited);
    return await run.find();
  };
  const [changed = ""] = await faultsOf((audit) =>
    audit.replace('"passed":0', '"passed":1')
  );
  assert.match(changed, /^(?:line|record) \d+ /);
  assert.deepEqual(await faultsOf((audit) => `${audit}{`), [
    "the audit has a tail",
  ]);
  assert.deepEqual(
    await faultsOf((audit) => audit.replace(/[^\n]*\n$/, "")),
    ["the audit ends before the run does"],
  );
});

Deno.test("findEvidenceFaults() needs the synthetic observations again", async () => {
  using run = await evidenceOf("instructions_in_an_observation");
  assert.deepEqual(await run.find(), []);
  const [finding = ""] = await run.find({ observations: [] });
  assert.match(finding, /^record 1 \(request_assembled\) doesn't follow/);
});
