import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../../tests/baseline_in_process.ts";
import { diskFiles } from "../../system/files.ts";
import { sha256 } from "../../system/sha256.ts";
import { MAX_SUBJECT_BYTES, NoSubject, runSubjects } from "./subjects.ts";

Deno.test("runSubjects() names every file but the attestation, sorted", () => {
  using folder = freshFolder();
  fs.mkdirSync(`${folder.path}/b`);
  for (const name of ["c", "b/d", "a", "attestation.json"]) {
    fs.writeFileSync(`${folder.path}/${name}`, name);
  }
  assert.deepEqual(
    runSubjects(diskFiles, folder.path),
    ["a", "b/d", "c"].map((name) => ({ name, sha256: sha256(name) })),
  );
});

Deno.test("runSubjects() refuses what no digest can stand for", () => {
  const made: readonly [(path: string) => void, RegExp][] = [
    [(path) => fs.symlinkSync("/dev/zero", path), /isn't a regular file/],
    [
      (path) => {
        const { success } = new Deno.Command("mkfifo", { args: [path] })
          .outputSync();
        assert.ok(success);
      },
      /isn't a regular file/,
    ],
    [(path) => {
      fs.writeFileSync(`${path}_`, "");
      fs.linkSync(`${path}_`, path);
    }, /second hard link/],
    [(path) => {
      fs.writeFileSync(path, "");
      fs.truncateSync(path, MAX_SUBJECT_BYTES + 1);
    }, /larger than any/],
  ];
  for (const [make, message] of made) {
    using folder = freshFolder();
    make(`${folder.path}/file`);
    assert.throws(() => runSubjects(diskFiles, folder.path), (error) => {
      assert.ok(error instanceof NoSubject);
      assert.equal(error.difference.file, "file");
      assert.match(error.difference.message, message);
      return true;
    });
  }
});

Deno.test("runSubjects() takes a file of the most bytes", () => {
  using folder = freshFolder();
  fs.writeFileSync(`${folder.path}/file`, "");
  fs.truncateSync(`${folder.path}/file`, MAX_SUBJECT_BYTES);
  assert.equal(runSubjects(diskFiles, folder.path).length, 1);
});
