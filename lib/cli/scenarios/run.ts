// Conducts one scenario: a real run on real files in a fresh folder, on this
// thread, with a clock turned by hand and a source that follows the script.

import type { Gate } from "../../agent/gate.ts";
import type { JsonObject } from "../../agent/json.ts";
import { StopWordCell } from "../../supervisor/stop_word_cell.ts";
import { CommandError } from "../../system/command_error.ts";
import { diskFiles } from "../../system/files.ts";
import {
  createFreshFolder,
  planFreshFolder,
} from "../../system/fresh_folder.ts";
import { conductLabRun } from "../lab_run.ts";
import { HandTurnedClock } from "./clock.ts";
import { findEvidenceFaults } from "./evidence.ts";
import { findUnexpected } from "./expectations.ts";
import { ArmedFaults } from "./faults.ts";
import { filesFrom, scenarioFiles } from "./files.ts";
import type { FolderScenario, RunScenario, Scenario } from "./format.ts";
import {
  missingTool,
  type Outside,
  type OutsideTools,
  performAct,
} from "./outside.ts";
import { scenarioGate, scenarioManifest } from "./manifest.ts";
import { scenarioSource } from "./source.ts";
import { Stage } from "./stage.ts";
import { checkTampering } from "./tampering.ts";
import { listed, RunWatch } from "./watch.ts";

/** What became of a scenario. */
export type ScenarioOutcome =
  | { readonly outcome: "passed" }
  /** What was otherwise than expected, a sentence each. */
  | { readonly outcome: "failed"; readonly findings: readonly string[] }
  /** It takes a right that the program doesn't have. */
  | { readonly outcome: "skipped"; readonly reason: string };

/** Where a scenario takes place. */
export interface ScenarioRoom {
  /** Real path of an empty folder; a run gets the folder `run` in it. */
  readonly folder: string;
  readonly tools: OutsideTools;
}

/** Conducts a scenario and holds it against its expectations. */
export async function runScenario(
  scenario: Scenario,
  room: ScenarioRoom,
): Promise<ScenarioOutcome> {
  const reason = missingTool(scenario, room.tools);
  if (reason !== null) return { outcome: "skipped", reason };
  const findings = await findingsOf(scenario, room);
  return findings.length === 0
    ? { outcome: "passed" }
    : { outcome: "failed", findings };
}

function findingsOf(
  scenario: Scenario,
  room: ScenarioRoom,
): readonly string[] | Promise<readonly string[]> {
  if ("destination" in scenario) {
    return checkRefusal(scenario, outsideOf(room, room.folder));
  }
  const outside = outsideOf(room, `${room.folder}/run`);
  return "tampering" in scenario
    ? checkTampering(scenario, outside)
    : checkRun(scenario, outside);
}

function outsideOf(room: ScenarioRoom, folder: string): Outside {
  return {
    folder,
    aside: room.folder,
    tools: room.tools,
    clock: new HandTurnedClock(),
    word: new StopWordCell(),
    faults: new ArmedFaults(),
  };
}

function checkRefusal(
  { destination, before, expect }: FolderScenario,
  outside: Outside,
): string[] {
  for (const act of before) performAct(act, outside);
  const files = filesFrom(diskFiles, outside.folder);
  const there = listed(outside.folder);
  try {
    const planned = planFreshFolder(files, destination, "run folder");
    createFreshFolder(files, planned, "run folder");
    return ["the folder was made"];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const findings: string[] = [];
    if (error.exitCode !== expect.exit_code) {
      findings.push(`exit code ${error.exitCode}, not ${expect.exit_code}`);
    }
    if (error.message !== expect.message) {
      findings.push(`it says ${JSON.stringify(error.message)}`);
    }
    if (`${listed(outside.folder)}` !== `${there}`) {
      findings.push("something else is in the current folder now");
    }
    return findings;
  }
}

async function checkRun(
  scenario: RunScenario,
  outside: Outside,
): Promise<string[]> {
  const { folder, clock, word, faults } = outside;
  const stage = new Stage(
    scenario.injected,
    (act) => performAct(act, outside),
  );
  const watch = new RunWatch(folder, stage);
  const observations = scenario.observations as JsonObject[];
  diskFiles.makeFolder(folder);
  const final = await conductLabRun({
    files: scenarioFiles({ files: diskFiles, folder, stage, faults }),
    folder,
    manifest: scenarioManifest(clock, "scenario"),
    source: scenarioSource(scenario, stage),
    gate: watchedGate(scenarioGate(word, clock), stage),
    clock,
    notify: (record) => {
      watch.see(record);
      if (record.event === "proposal_admitted") stage.reach("before_dispatch");
      if (record.event === "loop_stopped") stage.reach("after_loop");
      if (record.event === "observation_made") {
        stage.proposal++;
        stage.reach("before_request");
      }
    },
    prepare: (task) => {
      for (const observation of observations) {
        task.injectObservation(observation);
      }
      stage.reach("before_request");
    },
  });
  const { records, findings } = watch;
  return [
    ...findings,
    ...findUnexpected(scenario, { folder, records, final }),
    ...stage.pending.map((injected) =>
      `no run came to ${JSON.stringify(injected)}`
    ),
    ...faults.unmet.map((fault) => `nothing met ${JSON.stringify(fault)}`),
    ...await findEvidenceFaults({ folder, final, observations }),
  ];
}

/** A gate through which the evaluation's own points are seen. */
function watchedGate(gate: Gate, stage: Stage): Gate {
  let evaluating = false;
  return {
    stop: () => gate.stop(),
    beginCall: () => gate.beginCall(),
    endCall: () => gate.endCall(),
    get deadline() {
      return gate.deadline;
    },
    runExpired: () => {
      stage.reach(evaluating ? "during_evaluation" : "before_evaluation");
      evaluating = true;
      return gate.runExpired();
    },
  };
}
