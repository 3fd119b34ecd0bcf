import assert from "node:assert/strict";
import {
  freshFolder,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { createOrNothing } from "./create_or_nothing.ts";
import type { FileHandle } from "./files.ts";

const BYTES = new TextEncoder().encode("whole");

Deno.test("createOrNothing() leaves the whole file, or none", () => {
  using fresh = freshFolder();
  const path = `${fresh.path}/a`;
  const fail = () => {
    throw new Error("full");
  };
  for (const broken of [{ write: fail }, { write: () => 1 }, { sync: fail }]) {
    const files = {
      ...unflushedFiles,
      create: (name: string): FileHandle => ({
        ...unflushedFiles.create(name),
        ...broken,
      }),
    };
    assert.throws(() => createOrNothing(files, path, BYTES));
    assert.deepEqual([...Deno.readDirSync(fresh.path)], []);
  }
  createOrNothing(unflushedFiles, path, BYTES);
  assert.equal(Deno.readTextFileSync(path), "whole");
});

Deno.test("createOrNothing() touches no file that was there", () => {
  using fresh = freshFolder();
  const path = `${fresh.path}/a`;
  Deno.writeTextFileSync(path, "kept");
  assert.throws(() => createOrNothing(unflushedFiles, path, BYTES), {
    code: "EEXIST",
  });
  assert.equal(Deno.readTextFileSync(path), "kept");
});
