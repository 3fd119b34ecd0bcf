import assert from "node:assert/strict";
import { createWhole, diskFiles } from "../../system/files.ts";
import { ArmedFaults, type Fault } from "./faults.ts";
import { filesFrom, scenarioFiles } from "./files.ts";
import { ATTEMPT_POINTS } from "./format.ts";
import { Stage } from "./stage.ts";

const SOURCE = "workspace/toy_math.py";
const TEMPORARY = "workspace/.toy_math.py.v1.tmp";

/** Files of a fresh folder, and the points that they come to. */
function freshFiles() {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  Deno.mkdirSync(`${folder}/workspace`);
  Deno.writeTextFileSync(`${folder}/${SOURCE}`, "old");
  const reached: string[] = [];
  const stage = new Stage(
    ATTEMPT_POINTS.map((point) => ({
      proposal: 1,
      point,
      does: { act: "delete", file: point },
    })),
    (act) => reached.push("file" in act ? act.file : act.act),
  );
  const faults = new ArmedFaults();
  return {
    folder,
    reached,
    faults,
    files: scenarioFiles({ files: diskFiles, folder, stage, faults }),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

function fault(operation: Fault["operation"], file: string): Fault {
  const rest = { code: "EIO", times: 1, performed: false } as const;
  return { act: "fault", operation, file, ...rest };
}

Deno.test("scenarioFiles() come to the points of an edit in their order", () => {
  using fresh = freshFiles();
  const { files, folder, reached } = fresh;
  files.open(`${folder}/${SOURCE}`).close();
  assert.deepEqual(reached.splice(0), ["during_check"]);
  createWhole(files, `${folder}/other`, new Uint8Array());
  assert.deepEqual(reached, []);
  createWhole(files, `${folder}/${TEMPORARY}`, new TextEncoder().encode("new"));
  assert.deepEqual(reached.splice(0), ["before_recheck"]);
  files.rename(`${folder}/other`, `${folder}/another`);
  assert.deepEqual(reached, []);
  files.rename(`${folder}/${TEMPORARY}`, `${folder}/${SOURCE}`);
  assert.deepEqual(reached, ["before_rename", "after_rename"]);
  assert.equal(Deno.readTextFileSync(`${folder}/${SOURCE}`), "new");
});

Deno.test("scenarioFiles() meet a fault in every operation that can have one", () => {
  using fresh = freshFiles();
  const { files, folder, faults } = fresh;
  const path = `${folder}/${SOURCE}`;
  const meets = (
    operation: Fault["operation"],
    file: string,
    attempt: () => unknown,
  ) => {
    faults.arm(fault(operation, file));
    assert.throws(attempt, { code: "EIO" }, operation);
    assert.deepEqual(faults.unmet, []);
  };
  meets("real_path", "workspace", () => files.realPath(`${folder}/workspace`));
  meets("facts", SOURCE, () => files.facts(path));
  meets("open", SOURCE, () => files.open(path));
  meets("create", "new", () => files.create(`${folder}/new`));
  meets("rename", "new", () => files.rename(path, `${folder}/new`));
  meets("sync_folder", ".", () => files.syncFolder(folder));
  const read = files.open(path);
  meets("read", SOURCE, () => read.read(1));
  read.close();
  const written = files.create(`${folder}/new`);
  meets("write", "new", () => written.write(Uint8Array.of(1)));
  meets("sync", "new", () => written.sync());
  faults.arm(fault("short_write", "new"));
  assert.equal(written.write(Uint8Array.of(1, 2, 3)), 1);
  written.close();
  assert.deepEqual(Deno.readFileSync(`${folder}/new`), Uint8Array.of(1));
});

Deno.test("filesFrom() counts relative paths from another current folder", () => {
  using fresh = freshFiles();
  const { folder } = fresh;
  const files = filesFrom(diskFiles, `${folder}/workspace`);
  assert.equal(files.realPath("."), `${folder}/workspace`);
  assert.equal(files.realPath(folder), folder);
  assert.equal(files.facts("toy_math.py")?.kind, "file");
  assert.equal(files.facts("../workspace")?.kind, "directory");
  files.makeFolder("made");
  assert.ok(Deno.lstatSync(`${folder}/workspace/made`).isDirectory);
});
