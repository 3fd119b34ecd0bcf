import assert from "node:assert/strict";
import { StopWordCell } from "../../supervisor/stop_word_cell.ts";
import { EVERY_TOOL } from "../../../tests/scenario_tools.ts";
import { HandTurnedClock } from "./clock.ts";
import { ArmedFaults } from "./faults.ts";
import type { Act, RunScenario } from "./format.ts";
import { missingTool, type OutsideTools, performAct } from "./outside.ts";

const FILE = "workspace/toy_math.py";
const NO_TOOLS: OutsideTools = {
  symlink: "no symlinks",
  hard_link: "no hard links",
  fifo: "no FIFOs",
};

/** A fresh folder in which acts are done. */
function freshOutside() {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  Deno.mkdirSync(`${folder}/workspace`);
  Deno.writeTextFileSync(`${folder}/${FILE}`, "old");
  const outside = {
    folder,
    aside: folder,
    tools: EVERY_TOOL,
    clock: new HandTurnedClock(),
    word: new StopWordCell(),
    faults: new ArmedFaults(),
  };
  return {
    outside,
    path: `${folder}/${FILE}`,
    perform: (act: Act) => performAct(act, outside),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

Deno.test("performAct() writes into the same file, and swaps in another one", () => {
  using fresh = freshOutside();
  const { ino } = Deno.lstatSync(fresh.path);
  fresh.perform({ act: "write", file: FILE, bytes: "new" });
  assert.equal(Deno.readTextFileSync(fresh.path), "new");
  assert.equal(Deno.lstatSync(fresh.path).ino, ino);
  fresh.perform({ act: "swap", file: FILE, bytes: "other" });
  assert.equal(Deno.readTextFileSync(fresh.path), "other");
  assert.notEqual(Deno.lstatSync(fresh.path).ino, ino);
});

Deno.test("performAct() makes links that lead to the same bytes", () => {
  using fresh = freshOutside();
  fresh.perform({ act: "hard_link", file: FILE });
  assert.equal(Deno.lstatSync(fresh.path).nlink, 2);
  fresh.perform({ act: "symlink", file: FILE });
  assert.ok(Deno.lstatSync(fresh.path).isSymlink);
  assert.equal(Deno.readTextFileSync(fresh.path), "old");
});

Deno.test("performAct() puts a FIFO, a folder or nothing in a file's place", () => {
  using fresh = freshOutside();
  fresh.perform({ act: "fifo", file: FILE });
  assert.ok(Deno.lstatSync(fresh.path).isFifo);
  fresh.perform({ act: "folder", file: FILE });
  assert.ok(Deno.lstatSync(fresh.path).isDirectory);
  fresh.perform({ act: "delete", file: "workspace" });
  assert.throws(() => Deno.lstatSync(fresh.path), Deno.errors.NotFound);
  fresh.perform({ act: "folder", file: "workspace" });
  const { folder } = fresh.outside;
  assert.deepEqual([...Deno.readDirSync(`${folder}/workspace`)], []);
});

Deno.test("performAct() cancels, turns the clock, and arms a fault", () => {
  using fresh = freshOutside();
  const { clock, word, faults } = fresh.outside;
  fresh.perform({ act: "cancel" });
  fresh.perform({ act: "advance_clock", ms: 5 });
  fresh.perform({
    act: "fault",
    operation: "open",
    file: FILE,
    code: "EIO",
    times: 1,
    performed: false,
  });
  assert.deepEqual([word.get(), clock.now(), faults.unmet.length], [
    "cancelled",
    5,
    1,
  ]);
});

Deno.test("missingTool() tells why an act of a scenario can't be done", () => {
  const scenarioOf = (...acts: Act["act"][]) =>
    ({
      attempts: [],
      injected: acts.map((act) => ({
        point: "after_loop",
        does: { act, file: FILE },
      })),
    }) as unknown as RunScenario;
  assert.equal(missingTool(scenarioOf("delete", "folder"), NO_TOOLS), null);
  assert.equal(missingTool(scenarioOf("delete", "fifo"), NO_TOOLS), "no FIFOs");
  assert.equal(missingTool(scenarioOf("symlink"), NO_TOOLS), "no symlinks");
  assert.equal(missingTool(scenarioOf("hard_link"), NO_TOOLS), "no hard links");
  assert.equal(missingTool(scenarioOf("hard_link"), EVERY_TOOL), null);
});
