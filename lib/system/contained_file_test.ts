import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { type ContainmentFinding, readContained } from "./contained_file.ts";
import { diskFiles, type Files } from "./files.ts";

const MAX_BYTES = 10;

/** Reads `file` in the folder `room` of a fresh one. */
function read(
  folder: string,
  files: Files = diskFiles,
): string | ContainmentFinding {
  const result = readContained(files, `${folder}/room`, "file", MAX_BYTES);
  return result.ok
    ? `bytes: ${new TextDecoder().decode(result.bytes)}`
    : result.finding;
}

function freshRoom(): ReturnType<typeof freshFolder> {
  const folder = freshFolder();
  fs.mkdirSync(`${folder.path}/room`);
  fs.writeFileSync(`${folder.path}/room/file`, "own");
  fs.writeFileSync(`${folder.path}/other`, "other");
  return folder;
}

Deno.test("readContained() reads a regular file with one link", () => {
  using folder = freshRoom();
  assert.equal(read(folder.path), "bytes: own");
  fs.writeFileSync(`${folder.path}/room/file`, "");
  assert.equal(read(folder.path), "bytes: ");
});

Deno.test("readContained() holds its bound on both sides", () => {
  using folder = freshRoom();
  const path = `${folder.path}/room/file`;
  fs.writeFileSync(path, "x".repeat(MAX_BYTES));
  assert.equal(read(folder.path), `bytes: ${"x".repeat(MAX_BYTES)}`);
  fs.writeFileSync(path, "x".repeat(MAX_BYTES + 1));
  assert.equal(read(folder.path), "too_large");
});

const FOUND: readonly [
  what: string,
  change: (room: string) => void,
  finding: ContainmentFinding,
][] = [
  ["nothing", (room) => fs.rmSync(`${room}/file`), "missing"],
  ["a link to a file", (room) => {
    fs.rmSync(`${room}/file`);
    fs.symlinkSync("../other", `${room}/file`);
  }, "not_regular"],
  ["a link to nowhere", (room) => {
    fs.rmSync(`${room}/file`);
    fs.symlinkSync("nowhere", `${room}/file`);
  }, "not_regular"],
  ["a link to itself", (room) => {
    fs.rmSync(`${room}/file`);
    fs.symlinkSync("file", `${room}/file`);
  }, "not_regular"],
  ["a folder", (room) => {
    fs.rmSync(`${room}/file`);
    fs.mkdirSync(`${room}/file`);
  }, "not_regular"],
  ["a pipe", (room) => {
    fs.rmSync(`${room}/file`);
    new Deno.Command("mkfifo", { args: [`${room}/file`] }).outputSync();
  }, "not_regular"],
  ["a second link", (room) => {
    fs.linkSync(`${room}/file`, `${room}/twin`);
  }, "extra_link"],
  ["no folder", (room) => fs.rmSync(room, { recursive: true }), "missing"],
  ["a file in the folder's place", (room) => {
    fs.rmSync(room, { recursive: true });
    fs.writeFileSync(room, "");
  }, "folder_moved"],
  ["a link in the folder's place", (room) => {
    fs.renameSync(room, `${room}-moved`);
    fs.symlinkSync("room-moved", room);
  }, "folder_moved"],
];

for (const [what, change, finding] of FOUND) {
  Deno.test(`readContained() finds ${what}: ${finding}`, () => {
    using folder = freshRoom();
    change(`${folder.path}/room`);
    assert.equal(read(folder.path), finding);
  });
}

/** Real files; `meanwhile` happens after the nth operation of a kind. */
function changing(
  operation: "facts" | "open" | "realPath",
  nth: number,
  meanwhile: () => void,
): Files {
  let count = 0;
  const after = <T>(value: T): T => {
    if (++count === nth) meanwhile();
    return value;
  };
  const { facts, open, realPath } = diskFiles;
  const counted: Pick<Files, "facts" | "open" | "realPath"> = {
    facts: (path) => after(facts(path)),
    open: (path) => after(open(path)),
    realPath: (path) => after(realPath(path)),
  };
  return { ...diskFiles, [operation]: counted[operation] };
}

Deno.test("readContained() finds a file that is swapped between its checks", () => {
  using folder = freshRoom();
  const room = `${folder.path}/room`;
  const swap = () => fs.renameSync(`${folder.path}/other`, `${room}/file`);
  assert.equal(read(folder.path, changing("facts", 1, swap)), "swapped");
});

Deno.test("readContained() finds a link that is put there between its checks", () => {
  using folder = freshRoom();
  const room = `${folder.path}/room`;
  const link = () => {
    fs.rmSync(`${room}/file`);
    fs.symlinkSync("../other", `${room}/file`);
  };
  assert.equal(read(folder.path, changing("facts", 1, link)), "not_regular");
});

Deno.test("readContained() finds a pipe that is put there between its checks", () => {
  using folder = freshRoom();
  const room = `${folder.path}/room`;
  const pipe = () => {
    fs.rmSync(`${room}/file`);
    new Deno.Command("mkfifo", { args: [`${room}/file`] }).outputSync();
  };
  assert.equal(read(folder.path, changing("facts", 1, pipe)), "not_regular");
});

Deno.test("readContained() finds a second link that is made between its checks", () => {
  using folder = freshRoom();
  const room = `${folder.path}/room`;
  const twin = () => fs.linkSync(`${room}/file`, `${room}/twin`);
  assert.equal(read(folder.path, changing("facts", 1, twin)), "extra_link");
});

Deno.test("readContained() finds a file that is removed between its checks", () => {
  using folder = freshRoom();
  const remove = () => fs.rmSync(`${folder.path}/room/file`);
  assert.equal(read(folder.path, changing("facts", 1, remove)), "missing");
});

Deno.test("readContained() finds a folder that is moved while it reads", () => {
  using folder = freshRoom();
  const room = `${folder.path}/room`;
  const move = () => {
    fs.renameSync(room, `${room}-moved`);
    fs.symlinkSync("room-moved", room);
  };
  for (const [operation, nth] of [["realPath", 1], ["open", 1]] as const) {
    const files = changing(operation, nth, move);
    assert.equal(read(folder.path, files), "folder_moved", operation);
    fs.rmSync(room);
    fs.renameSync(`${room}-moved`, room);
  }
});

Deno.test("readContained() throws what isn't an answer", () => {
  using folder = freshRoom();
  const files: Files = {
    ...diskFiles,
    open: (path) => ({
      ...diskFiles.open(path),
      read: () => {
        throw Object.assign(new Error("bad sector"), { code: "EIO" });
      },
    }),
  };
  assert.throws(() => read(folder.path, files), { code: "EIO" });
});

Deno.test("readContained() closes what it opened, whatever it finds", () => {
  using folder = freshRoom();
  let open = 0;
  const files: Files = {
    ...diskFiles,
    open: (path) => {
      const file = diskFiles.open(path);
      open++;
      return {
        ...file,
        close: () => {
          open--;
          file.close();
        },
      };
    },
  };
  assert.equal(read(folder.path, files), "bytes: own");
  fs.writeFileSync(`${folder.path}/room/file`, "x".repeat(MAX_BYTES + 1));
  assert.equal(read(folder.path, files), "too_large");
  assert.equal(open, 0);
});
