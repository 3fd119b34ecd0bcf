// What somebody else does to a run's files while it goes on. It goes straight to
// the disk: the controller's own file seam is what is being checked.

import type { StopWordCell } from "../../supervisor/stop_word_cell.ts";
import type { HandTurnedClock } from "./clock.ts";
import type { ArmedFaults } from "./faults.ts";
import { type Act, type Scenario, scenarioBytes } from "./format.ts";

/** What it takes a right to make: the function, or why there is none. */
export interface OutsideTools {
  readonly symlink: ((target: string, path: string) => void) | string;
  readonly hard_link: ((existing: string, path: string) => void) | string;
  readonly fifo: ((path: string) => void) | string;
}

/** Everything outside of one run that its scenario can act upon. */
export interface Outside {
  /** Real path of the folder that acts' paths count from. */
  readonly folder: string;
  /** Real path of the folder for what is moved out of the way. */
  readonly aside: string;
  readonly tools: OutsideTools;
  readonly clock: HandTurnedClock;
  readonly word: StopWordCell;
  readonly faults: ArmedFaults;
}

/** Why a scenario's acts can't be done here, or null. */
export function missingTool(
  scenario: Scenario,
  tools: OutsideTools,
): string | null {
  for (const act of actsOf(scenario)) {
    if (act !== "symlink" && act !== "hard_link" && act !== "fifo") continue;
    const tool = tools[act];
    if (typeof tool === "string") return tool;
  }
  return null;
}

/** Names of everything that a scenario does from outside. */
function actsOf(scenario: Scenario): readonly string[] {
  if ("tampering" in scenario) {
    return scenario.tampering.map((one) => "act" in one ? one.act : one.alter);
  }
  const acts = "destination" in scenario
    ? scenario.before
    : scenario.injected.map(({ does }) => does);
  return acts.map(({ act }) => act);
}

/**
 * Does one act.
 *
 * @throws What the system says where it can't be done.
 */
export function performAct(act: Act, outside: Outside): void {
  switch (act.act) {
    case "cancel":
      outside.word.set("cancelled");
      return;
    case "advance_clock":
      return outside.clock.advance(act.ms);
    case "fault":
      return outside.faults.arm(act);
    case "write":
      return Deno.writeFileSync(
        `${outside.folder}/${act.file}`,
        scenarioBytes(act.bytes),
      );
    case "swap": {
      const path = `${outside.folder}/${act.file}`;
      const other = `${outside.aside}/other.${lastName(path)}`;
      Deno.writeFileSync(other, scenarioBytes(act.bytes), { createNew: true });
      return Deno.renameSync(other, path);
    }
    case "symlink": {
      const moved = moveAside(act.file, outside);
      return tool(outside.tools.symlink)(
        moved,
        `${outside.folder}/${act.file}`,
      );
    }
    case "hard_link": {
      const path = `${outside.folder}/${act.file}`;
      return tool(outside.tools.hard_link)(
        path,
        `${outside.aside}/second.${lastName(path)}`,
      );
    }
    case "fifo":
      moveAside(act.file, outside);
      return tool(outside.tools.fifo)(`${outside.folder}/${act.file}`);
    case "folder":
      moveAside(act.file, outside);
      return Deno.mkdirSync(`${outside.folder}/${act.file}`);
    case "delete":
      return Deno.removeSync(`${outside.folder}/${act.file}`, {
        recursive: true,
      });
  }
}

/** Renames an entry, if there is one; the new path. */
function moveAside(file: string, { folder, aside }: Outside): string {
  const moved = `${aside}/moved.${lastName(file)}`;
  try {
    Deno.renameSync(`${folder}/${file}`, moved);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return moved;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function tool<Tool>(it: Tool | string): Tool {
  if (typeof it === "string") throw new Error(it);
  return it;
}
