import assert from "node:assert/strict";
import { diskFiles } from "../system/files.ts";
import { modelDestination } from "./destination.ts";

async function inFolder(work: (cwd: string) => void): Promise<void> {
  const before = Deno.cwd();
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    Deno.chdir(folder);
    work(folder);
  } finally {
    Deno.chdir(before);
    await Deno.remove(folder, { recursive: true });
  }
}

function refused(typed: string): string {
  const made = modelDestination(diskFiles, typed);
  assert.ok(!made.ok, typed);
  assert.equal(made.refusal.code, "destination_refused");
  return made.refusal.why;
}

Deno.test("modelDestination() tells fresh, unfinished and existing apart", async () => {
  await inFolder((cwd) => {
    const kind = (typed: string) => {
      const made = modelDestination(diskFiles, typed);
      assert.ok(made.ok, typed);
      return made.destination;
    };
    Deno.mkdirSync("sub");
    assert.deepEqual(kind(`${cwd}/./sub//model/`), {
      kind: "fresh",
      planned: {
        typed: `${cwd}/./sub//model/`,
        path: `${cwd}/sub/model`,
        parent: `${cwd}/sub`,
      },
    });
    Deno.mkdirSync("model", { mode: 0o700 });
    assert.equal(kind("model").kind, "unfinished");
    Deno.writeTextFileSync("model/acquisition.json.part", "{");
    assert.deepEqual(kind("model"), {
      kind: "unfinished",
      planned: { typed: "model", path: `${cwd}/model`, parent: cwd },
      leftover: ["acquisition.json.part"],
    });
    Deno.writeTextFileSync("model/acquisition.json", "{");
    assert.deepEqual(kind("model"), { kind: "existing", path: `${cwd}/model` });
    assert.deepEqual([...Deno.readDirSync("sub")], []);
  });
});

Deno.test("modelDestination() leaves foreign folders alone", async () => {
  await inFolder(() => {
    Deno.mkdirSync("empty", { mode: 0o755 });
    assert.match(refused("empty"), /not made by an acquisition/);
    Deno.mkdirSync("full", { mode: 0o700 });
    Deno.writeTextFileSync("full/model.safetensors", "");
    assert.match(refused("full"), /not made by an acquisition/);
    Deno.symlinkSync("full", "linked");
    assert.match(refused("linked"), /"linked" is a link/);
    assert.match(refused("linked/model"), /"linked" is a link/);
    Deno.writeTextFileSync("file", "");
    assert.match(refused("file"), /"file" is not a folder/);
    assert.match(refused(""), /its name is empty/);
    for (const typed of ["..", "../x", "/", ".", "a/../../x", "x\0"]) {
      assert.match(refused(typed), /below the current folder/, typed);
    }
  });
});

Deno.test("modelDestination() refuses a repository around a folder", async () => {
  for (const mark of [".git", ".hg", ".svn", ".jj"]) {
    await inFolder(() => {
      Deno.mkdirSync("sub/model", { recursive: true });
      Deno.writeTextFileSync("sub/model/acquisition.json", "{");
      Deno.mkdirSync(`sub/${mark}`);
      assert.match(refused("sub/model"), /inside a repository/);
      assert.throws(
        () => modelDestination(diskFiles, "sub/other"),
        /inside the repository/,
      );
      Deno.renameSync(`sub/${mark}`, mark);
      assert.match(refused("sub/model"), /inside a repository/);
      Deno.mkdirSync("deep");
      Deno.chdir("deep");
      assert.throws(
        () => modelDestination(diskFiles, "model"),
        /inside the repository/,
      );
      Deno.chdir("..");
    });
  }
});
