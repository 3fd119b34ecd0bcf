// What a scenario's run is declared to be, and its time. Nothing in it changes,
// so that a scenario always writes the same bytes.

import type { Gate, MonotonicMs } from "../../agent/gate.ts";
import type { Manifest } from "../../evidence/manifest.ts";
import {
  CALL_MS,
  DeadlineGate,
  RUN_MS,
} from "../../supervisor/deadline_gate.ts";
import type { StopWordCell } from "../../supervisor/stop_word_cell.ts";
import { labManifest } from "../lab_manifest.ts";
import { RUN_COVERS } from "../run_covers.ts";
import type { HandTurnedClock } from "./clock.ts";

/** The manifest of a scenario's run. */
export function scenarioManifest(
  clock: HandTurnedClock,
  source: "scenario" | "scripted",
): Manifest {
  return labManifest({
    source,
    coreTrial: false,
    extension: null,
    authority: { opt_in: "command", covers: RUN_COVERS },
    runtime: {},
    model: null,
  }, {
    runId: "00000000-0000-4000-8000-000000000000",
    created: clock.wallTime(),
    enforced: {},
    runMs: RUN_MS,
    callMs: CALL_MS,
  });
}

/** The lab's deadlines, on a clock that is turned by hand. */
export function scenarioGate(
  word: StopWordCell,
  clock: HandTurnedClock,
): Gate {
  return new DeadlineGate(word, clock, {
    runDeadline: RUN_MS as MonotonicMs,
    callMs: CALL_MS,
  });
}
