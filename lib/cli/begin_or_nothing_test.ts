import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { CommandError, EXIT } from "../system/command_error.ts";
import { beginOrNothing } from "./begin_or_nothing.ts";

Deno.test("beginOrNothing() leaves no folder where the beginning is refused", () => {
  using fresh = freshFolder();
  const folder = `${fresh.path}/run`;
  const begin = (error: Error) => () =>
    assert.throws(() =>
      beginOrNothing(() => {
        throw error;
      }, folder), (thrown) => thrown === error);
  const refused = new CommandError(EXIT.refused, {
    what: "Cannot begin",
    why: "it was taken",
    next: "Choose another.",
  });
  fs.mkdirSync(folder);
  begin(refused)();
  assert.deepEqual(fs.readdirSync(fresh.path), []);
  // Gone already: the refusal is what is told.
  begin(refused)();
  // What is in use, or has a fault to be looked into, stays.
  fs.mkdirSync(`${folder}/workspace`, { recursive: true });
  begin(refused)();
  assert.deepEqual(fs.readdirSync(folder), ["workspace"]);
  fs.rmdirSync(`${folder}/workspace`);
  begin(new TypeError("a fault"))();
  assert.deepEqual(fs.readdirSync(fresh.path), ["run"]);
  assert.equal(beginOrNothing(() => "begun", folder), "begun");
});
