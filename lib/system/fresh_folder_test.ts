import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { CommandError } from "./command_error.ts";
import { diskFiles, type Files } from "./files.ts";
import { createFreshFolder, planFreshFolder } from "./fresh_folder.ts";

/** Real files, as a program sees them that was started in a folder. */
function startedIn(folder: string, changes: Partial<Files> = {}): Files {
  const below = (path: string) =>
    path.startsWith("/") ? path : `${folder}/${path}`;
  return {
    ...diskFiles,
    realPath: (path) => diskFiles.realPath(below(path)),
    facts: (path) => diskFiles.facts(below(path)),
    ...changes,
  };
}

/** Asserts a refusal and returns its message. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof CommandError, String(error));
    assert.equal(error.exitCode, 3);
    return error.message;
  }
  throw new assert.AssertionError({ message: "Nothing was refused" });
}

Deno.test("planFreshFolder() names the folder and its parent, and makes neither", () => {
  using folder = freshFolder();
  fs.mkdirSync(`${folder.path}/runs`);
  const files = startedIn(folder.path);
  assert.deepEqual(planFreshFolder(files, "one", "run folder"), {
    typed: "one",
    path: `${folder.path}/one`,
    parent: folder.path,
  });
  for (const typed of ["runs/one", "./runs//one/", `${folder.path}/runs/one`]) {
    assert.deepEqual(planFreshFolder(files, typed, "run folder"), {
      typed,
      path: `${folder.path}/runs/one`,
      parent: `${folder.path}/runs`,
    });
  }
  assert.deepEqual(fs.readdirSync(folder.path), ["runs"]);
});

Deno.test("planFreshFolder() says what, why and what to do next", () => {
  using folder = freshFolder();
  fs.mkdirSync(`${folder.path}/taken`);
  assert.equal(
    refusal(() => planFreshFolder(startedIn(folder.path), "taken", "folder")),
    'Cannot create the folder "taken": it exists already.\n' +
      "Choose a name that is not taken; nothing is ever overwritten.",
  );
});

Deno.test("planFreshFolder() refuses names that can't be typed or shown", () => {
  using folder = freshFolder();
  const plan = (typed: string) => () =>
    planFreshFolder(startedIn(folder.path), typed, "folder");
  for (const name of ["a\0b", "a\nb", "a\x1b[31m", "a\u202eb", "a\u200bb"]) {
    assert.match(refusal(plan(name)), /characters that can't be shown/);
  }
  for (const name of ["-", "-x", "--json", "-x/y"]) {
    assert.match(refusal(plan(name)), /reads as an option/);
  }
  plan("a-b")();
  plan("./-x")();
});

Deno.test("planFreshFolder() shows a long name cut short", () => {
  using folder = freshFolder();
  const name = `${"p".repeat(5_000)}/`.repeat(2);
  const message = refusal(() =>
    planFreshFolder(startedIn(folder.path), name, "folder")
  );
  assert.ok(message.length < 400, `${message.length} characters`);
});

Deno.test("planFreshFolder() refuses the root as the current folder", () => {
  assert.match(
    refusal(() => planFreshFolder(startedIn("/"), "run", "folder")),
    /the current folder is "\/"/,
  );
});

Deno.test("planFreshFolder() refuses 17 levels, and takes 16", () => {
  const deep = (levels: number) =>
    startedIn("/", {
      realPath: () => "/d".repeat(levels),
      facts: () => null,
    });
  planFreshFolder(deep(16), "run", "folder");
  assert.match(
    refusal(() => planFreshFolder(deep(17), "run", "folder")),
    /more than 16 folders deep/,
  );
});

Deno.test("planFreshFolder() asks each level above for each repository mark", () => {
  for (const mark of [".git", ".hg", ".svn", ".jj"]) {
    for (let level = 1; level <= 16; level++) {
      const found = "../".repeat(level) + mark;
      const files = startedIn("/", {
        realPath: () => "/d".repeat(16),
        facts: (path) => path === found ? diskFiles.facts("/") : null,
      });
      const message = refusal(() => planFreshFolder(files, "run", "folder"));
      assert.ok(message.includes(`(${found} exists)`), message);
    }
  }
});

Deno.test("planFreshFolder() refuses a current folder that is one of a run's own", () => {
  using folder = freshFolder();
  fs.mkdirSync(`${folder.path}/run/backups`, { recursive: true });
  const plan = () =>
    planFreshFolder(startedIn(`${folder.path}/run/backups`), "new", "folder");
  assert.equal(plan().path, `${folder.path}/run/backups/new`);
  fs.writeFileSync(`${folder.path}/run/audit.jsonl`, "");
  assert.equal(
    refusal(plan),
    'Cannot create the folder "new": the current folder lies in a run\'s ' +
      "folder (../audit.jsonl exists).\n" +
      "Start tinycoder in a folder outside any run.",
  );
});

Deno.test("planFreshFolder() refuses names that tell what the folder around is", () => {
  using folder = freshFolder();
  const plan = (typed: string) => () =>
    planFreshFolder(startedIn(folder.path), typed, "folder");
  for (
    const name of [".git", ".hg", ".svn", ".jj", "HEAD", "objects", "refs"]
      .concat(["acquisition.json", "model.safetensors", "audit.jsonl"])
      .concat([".tinycoder-engine"])
      .flatMap((name) => [name, name.toUpperCase(), `./${name}/`, `${name}/x`])
  ) assert.match(refusal(plan(name)), /has a meaning of its own/);
  for (const name of [" ", "  /x", "x/ "]) {
    assert.match(refusal(plan(name)), /nothing but spaces/);
  }
  for (const name of [".github", "heads", "my .git", " x "]) plan(name)();
});

Deno.test("planFreshFolder() refuses a bare repository, and takes what only resembles one", () => {
  using folder = freshFolder();
  fs.mkdirSync(`${folder.path}/bare`);
  const plan = (typed: string) =>
    planFreshFolder(startedIn(folder.path), typed, "folder");
  for (const mark of ["HEAD", "objects", "refs"]) {
    plan("bare/run");
    fs.writeFileSync(`${folder.path}/bare/${mark}`, "");
  }
  assert.equal(
    refusal(() => plan("bare/run")),
    'Cannot create the folder "bare/run": it lies inside the bare repository ' +
      '"bare" (HEAD, objects, refs exist).\n' +
      "Choose a folder outside any repository.",
  );
});

Deno.test("planFreshFolder() refuses a folder around that may not be read", () => {
  using folder = freshFolder();
  const opening = (code: string) =>
    startedIn(folder.path, {
      open: () => {
        throw Object.assign(new Error("not for users"), { code });
      },
    });
  assert.match(
    refusal(() => planFreshFolder(opening("EACCES"), "run", "folder")),
    /: the folder around it may not be read\.\nChoose a folder that you may read/,
  );
  planFreshFolder(opening("EMFILE"), "run", "folder");
});

Deno.test("planFreshFolder() refuses an empty name", () => {
  using folder = freshFolder();
  assert.equal(
    refusal(() => planFreshFolder(startedIn(folder.path), "", "folder")),
    'Cannot create the folder "": its name is empty.\n' +
      "Give a name that is not taken.",
  );
});

Deno.test("planFreshFolder() refuses what it can't ask about", () => {
  using folder = freshFolder();
  for (
    const [code, why] of [
      ["EACCES", "a folder that it lies in may not be entered"],
      ["ENAMETOOLONG", "the name is too long"],
      ["EIO", "the disk failed"],
      ["EBADF", "the system answered EBADF"],
    ] as const
  ) {
    const files = startedIn(folder.path, {
      facts: () => {
        throw Object.assign(new Error("not for users"), { code });
      },
    });
    const message = refusal(() => planFreshFolder(files, "run", "folder"));
    assert.ok(message.includes(why), message);
    assert.doesNotMatch(message, /not for users/);
  }
});

Deno.test("createFreshFolder() makes the folder for its owner, once", () => {
  using folder = freshFolder();
  const planned = planFreshFolder(startedIn(folder.path), "run", "folder");
  createFreshFolder(diskFiles, planned, "folder");
  assert.equal(fs.statSync(planned.path).mode & 0o777, 0o700);
  assert.match(
    refusal(() => createFreshFolder(diskFiles, planned, "folder")),
    /it exists already/,
  );
});

Deno.test("createFreshFolder() loses against whoever was faster", () => {
  using folder = freshFolder();
  const planned = planFreshFolder(startedIn(folder.path), "run", "folder");
  for (
    const faster of [
      () => fs.mkdirSync(planned.path),
      () => fs.writeFileSync(planned.path, ""),
      () => fs.symlinkSync("nowhere", planned.path),
      () => fs.symlinkSync(".", planned.path),
    ]
  ) {
    faster();
    assert.match(
      refusal(() => createFreshFolder(diskFiles, planned, "folder")),
      /it exists already/,
    );
    fs.rmSync(planned.path, { recursive: true });
  }
});

for (
  const [code, why] of [
    ["ENOSPC", "the disk is full"],
    ["EDQUOT", "the disk quota is used up"],
    ["EROFS", "the disk is read-only"],
    ["EPERM", "the folder around it may not be written"],
    ["ENOTDIR", "a part of it is not a folder"],
    ["ELOOP", "a part of it is a link"],
    ["EILSEQ", "the name has characters the disk refuses"],
    ["EMLINK", "the system answered EMLINK"],
  ] as const
) {
  Deno.test(`createFreshFolder() explains ${code}`, () => {
    using folder = freshFolder();
    const planned = planFreshFolder(startedIn(folder.path), "run", "folder");
    const files: Files = {
      ...diskFiles,
      makeFolder: () => {
        throw Object.assign(new Error("not for users"), { code });
      },
    };
    const message = refusal(() => createFreshFolder(files, planned, "folder"));
    assert.ok(message.includes(why), message);
    assert.deepEqual(fs.readdirSync(folder.path), []);
  });
}
