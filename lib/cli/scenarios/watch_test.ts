import assert from "node:assert/strict";
import type { JsonObject } from "../../agent/json.ts";
import type { AuditRecord } from "../../evidence/audit_record.ts";
import { sha256 } from "../../system/sha256.ts";
import { scenarioFolder } from "../../../tests/scenario_tools.ts";
import { Stage } from "./stage.ts";
import { listed, RunWatch } from "./watch.ts";

/** A watch over a fresh folder of its own. */
function freshWatch() {
  const room = scenarioFolder();
  const path = (name: string) => `${room.path}/${name}`;
  Deno.mkdirSync(path("workspace"));
  Deno.mkdirSync(path("backups"));
  Deno.writeTextFileSync(path("workspace/TASK.txt"), "task");
  Deno.writeTextFileSync(path("workspace/toy_math.py"), "old");
  const acts = [{ point: "after_loop", does: { act: "cancel" } }] as const;
  const stage = new Stage(acts, () => {});
  const watch = new RunWatch(room.path, stage);
  return {
    stage,
    watch,
    write: (name: string, text: string) =>
      Deno.writeTextFileSync(path(name), text),
    rename: (from: string, to: string) => Deno.renameSync(path(from), path(to)),
    see: (event: string, content: JsonObject = {}) =>
      watch.see({ event, content, proposal_number: 1 } as AuditRecord),
    [Symbol.dispose]: () => room[Symbol.dispose](),
  };
}

const refused = { observation: { ok: false, version: 0 } };

Deno.test("RunWatch finds nothing where nothing changed, and keeps the records", () => {
  using fresh = freshWatch();
  fresh.see("proposal_received");
  fresh.see("observation_made", refused);
  assert.deepEqual(fresh.watch.findings, []);
  assert.deepEqual(
    fresh.watch.records.map(({ event }) => event),
    ["proposal_received", "observation_made"],
  );
});

Deno.test("RunWatch finds what a refused proposal changed or left", () => {
  for (
    const [name, says] of [
      ["workspace/toy_math.py", "proposal 1 changed a managed file"],
      ["workspace/TASK.txt", "proposal 1 changed a managed file"],
      ["workspace/new", "proposal 1 left something on disk"],
      ["backups/toy_math.py.v0", "proposal 1 left something on disk"],
    ] as const
  ) {
    using fresh = freshWatch();
    fresh.see("proposal_received");
    fresh.write(name, "other");
    fresh.see("observation_made", refused);
    assert.deepEqual(fresh.watch.findings, [says]);
  }
});

Deno.test("RunWatch finds another file in a managed one's place, with the same bytes", () => {
  using fresh = freshWatch();
  fresh.write("backups/new", "old");
  fresh.see("proposal_received");
  fresh.rename("backups/new", "workspace/toy_math.py");
  fresh.see("observation_made", refused);
  assert.deepEqual(fresh.watch.findings, ["proposal 1 changed a managed file"]);
});

Deno.test("RunWatch holds nothing against the controller that somebody else did", () => {
  using fresh = freshWatch();
  fresh.see("proposal_received");
  fresh.stage.reach("after_loop");
  fresh.write("workspace/toy_math.py", "other");
  fresh.see("observation_made", refused);
  assert.deepEqual(fresh.watch.findings, []);
});

Deno.test("RunWatch lets an edit that failed leave something beside the managed files", () => {
  using fresh = freshWatch();
  fresh.see("proposal_received");
  fresh.see("edit_fault");
  fresh.write("workspace/temporary", "new");
  fresh.see("observation_made", refused);
  assert.deepEqual(fresh.watch.findings, []);
  fresh.see("proposal_received");
  fresh.write("workspace/temporary", "newer");
  fresh.see("observation_made", refused);
  assert.deepEqual(fresh.watch.findings, ["proposal 1 left something on disk"]);
});

Deno.test("RunWatch finds a wrong version, backup and receipt", () => {
  using fresh = freshWatch();
  fresh.write("backups/toy_math.py.v0", "not old");
  const before = sha256("old");
  fresh.see("edit_intent", { before, backup: "toy_math.py.v0" });
  fresh.see("edit_committed", { version: 2 });
  fresh.see("proposal_received");
  fresh.see("observation_made", {
    observation: { version: 3, status: "edit_committed", sha256: before },
  });
  fresh.write("workspace/toy_math.py", "new");
  fresh.see("proposal_received");
  fresh.see("observation_made", {
    observation: { version: 2, status: "edit_committed", sha256: before },
  });
  assert.deepEqual(fresh.watch.findings, [
    "toy_math.py.v0 doesn't hold the bytes before the edit",
    "version 0 was followed by 2",
    "observation 1 names version 3, not 2",
    "the receipt of proposal 1 isn't on disk",
  ]);
});

Deno.test("listed() sorts, and lists nothing where no folder is", () => {
  using fresh = freshWatch();
  void fresh;
  using room = scenarioFolder();
  for (const name of ["b", "a"]) Deno.mkdirSync(`${room.path}/${name}`);
  assert.deepEqual(listed(room.path), ["a", "b"]);
  assert.deepEqual(listed(`${room.path}/absent`), []);
});
