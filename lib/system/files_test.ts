import assert from "node:assert/strict";
import * as fs from "node:fs";
import { freshFolder } from "../../tests/baseline_in_process.ts";
import {
  createWhole,
  diskFiles,
  errorCode,
  type FileHandle,
  publish,
  publishNew,
  ShortWriteError,
  writeWhole,
} from "./files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The system's error code of what an action throws. */
function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return errorCode(error);
  }
  return "nothing was thrown";
}

function makePipe(path: string): void {
  const { success } = new Deno.Command("mkfifo", { args: [path] }).outputSync();
  assert.ok(success);
}

Deno.test("errorCode() names an error by its code, else by its name", () => {
  assert.equal(
    errorCode(Object.assign(new Error(), { code: "EIO" })),
    "EIO",
  );
  assert.equal(errorCode(Object.assign(new Error(), { code: 5 })), "Error");
  assert.equal(errorCode(new RangeError()), "RangeError");
  assert.equal(errorCode("EIO"), "unknown");
  assert.equal(errorCode(null), "unknown");
});

Deno.test("diskFiles.create() makes a file for its owner that must not exist", () => {
  using folder = freshFolder();
  const path = `${folder.path}/file`;
  const umask = Deno.umask(0);
  try {
    diskFiles.create(path).close();
  } finally {
    Deno.umask(umask);
  }
  assert.equal(fs.statSync(path).mode & 0o777, 0o600);
  fs.symlinkSync("nowhere", `${folder.path}/link`);
  for (const name of ["file", "link", "."]) {
    assert.equal(
      codeOf(() => diskFiles.create(`${folder.path}/${name}`)),
      "EEXIST",
    );
  }
  assert.deepEqual(fs.readdirSync(folder.path).sort(), ["file", "link"]);
});

Deno.test("diskFiles.open() refuses a link and doesn't wait for a pipe", () => {
  using folder = freshFolder();
  fs.writeFileSync(`${folder.path}/file`, "abc");
  fs.symlinkSync("file", `${folder.path}/link`);
  makePipe(`${folder.path}/pipe`);
  assert.equal(codeOf(() => diskFiles.open(`${folder.path}/link`)), "ELOOP");
  assert.equal(codeOf(() => diskFiles.open(`${folder.path}/none`)), "ENOENT");
  const pipe = diskFiles.open(`${folder.path}/pipe`);
  assert.equal(pipe.facts().kind, "other");
  pipe.close();
});

Deno.test("FileHandle.read() goes on from where it was, up to the end", () => {
  using folder = freshFolder();
  fs.writeFileSync(`${folder.path}/file`, "abcdefg");
  const file = diskFiles.open(`${folder.path}/file`);
  assert.equal(text(file.read(3)), "abc");
  assert.equal(text(file.read(0)), "");
  assert.equal(text(file.read(4)), "defg");
  assert.equal(text(file.read(4)), "");
  assert.equal(codeOf(() => file.write(bytes("x"))), "EBADF");
  file.close();
  assert.equal(codeOf(() => file.read(1)), "EBADF");
});

Deno.test("diskFiles.facts() doesn't follow links, and tells kinds apart", () => {
  using folder = freshFolder();
  const path = (name: string) => `${folder.path}/${name}`;
  fs.writeFileSync(path("file"), "abc");
  fs.linkSync(path("file"), path("twin"));
  fs.symlinkSync("file", path("link"));
  fs.symlinkSync("nowhere", path("dangling"));
  makePipe(path("pipe"));
  const kinds = ["file", "twin", "link", "dangling", "pipe", "."].map((name) =>
    diskFiles.facts(path(name))?.kind
  );
  assert.deepEqual(kinds, [
    "file",
    "file",
    "link",
    "link",
    "other",
    "directory",
  ]);
  assert.equal(diskFiles.facts(path("none")), null);
  const { dev, ino } = fs.lstatSync(path("file"), { bigint: true });
  const facts = { kind: "file", dev, ino, links: 2, size: 3 } as const;
  assert.deepEqual(diskFiles.facts(path("file")), facts);
  const file = diskFiles.open(path("twin"));
  assert.deepEqual(file.facts(), facts);
  file.close();
  assert.equal(codeOf(() => diskFiles.facts(path("file/below"))), "ENOTDIR");
});

Deno.test("diskFiles.makeFolder() makes a folder for its owner that must not exist", () => {
  using folder = freshFolder();
  const path = `${folder.path}/made`;
  const umask = Deno.umask(0);
  try {
    diskFiles.makeFolder(path);
  } finally {
    Deno.umask(umask);
  }
  assert.equal(fs.statSync(path).mode & 0o777, 0o700);
  assert.equal(codeOf(() => diskFiles.makeFolder(path)), "EEXIST");
  assert.equal(codeOf(() => diskFiles.makeFolder(`${path}/a/b`)), "ENOENT");
});

Deno.test("diskFiles lists, renames, removes and resolves", () => {
  using folder = freshFolder();
  const path = (name: string) => `${folder.path}/${name}`;
  fs.writeFileSync(path("b"), "new");
  fs.writeFileSync(path("a"), "old");
  fs.symlinkSync("a", path("link"));
  assert.deepEqual(diskFiles.list(folder.path), ["a", "b", "link"]);
  assert.equal(diskFiles.realPath(path("link")), path("a"));
  assert.equal(codeOf(() => diskFiles.realPath(path("none"))), "ENOENT");
  diskFiles.rename(path("b"), path("a"));
  assert.equal(fs.readFileSync(path("a"), "utf8"), "new");
  diskFiles.remove(path("link"));
  assert.deepEqual(diskFiles.list(folder.path), ["a"]);
  assert.equal(codeOf(() => diskFiles.remove(path("b"))), "ENOENT");
  assert.equal(codeOf(() => diskFiles.syncFolder(path("a"))), "ENOTDIR");
  diskFiles.syncFolder(folder.path);
});

Deno.test("diskFiles.lock() is held by one, until it is released", () => {
  using folder = freshFolder();
  const path = `${folder.path}/file`;
  fs.writeFileSync(path, "");
  const held = diskFiles.lock(path);
  assert.ok(held !== null);
  assert.equal(diskFiles.lock(path), null);
  held.release();
  const again = diskFiles.lock(path);
  assert.ok(again !== null);
  again.release();
});

/** A file whose writes store at most so many bytes. */
function fullAfter(most: number): FileHandle & { readonly stored: string[] } {
  const stored: string[] = [];
  return {
    stored,
    facts: () => {
      throw new Error("not asked");
    },
    read: () => new Uint8Array(),
    write: (bytes) => {
      stored.push(text(bytes.subarray(0, most)));
      return Math.min(most, bytes.length);
    },
    sync: () => {},
    close: () => {},
  };
}

Deno.test("writeWhole() writes once, and says where bytes are missing", () => {
  const enough = fullAfter(3);
  writeWhole(enough, bytes("abc"));
  assert.deepEqual(enough.stored, ["abc"]);
  const full = fullAfter(2);
  assert.throws(() => writeWhole(full, bytes("abc")), (error) => {
    assert.ok(error instanceof ShortWriteError);
    assert.equal(error.code, "ESHORT");
    assert.equal(error.message, "Only 2 of 3 bytes were written");
    return true;
  });
  assert.deepEqual(full.stored, ["ab"]);
});

Deno.test("createWhole() refuses what exists and leaves it as it is", () => {
  using folder = freshFolder();
  const path = `${folder.path}/file`;
  createWhole(diskFiles, path, bytes("first"));
  assert.equal(
    codeOf(() => createWhole(diskFiles, path, bytes("second"))),
    "EEXIST",
  );
  assert.equal(fs.readFileSync(path, "utf8"), "first");
});

Deno.test("publish() replaces all of a file, and removes an earlier attempt", () => {
  using folder = freshFolder();
  const path = `${folder.path}/report`;
  fs.writeFileSync(`${path}.part`, "torn");
  publish(diskFiles, folder.path, "report", bytes("first"));
  publish(diskFiles, folder.path, "report", bytes("2"));
  assert.equal(fs.readFileSync(path, "utf8"), "2");
  assert.equal(fs.statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(fs.readdirSync(folder.path), ["report"]);
});

Deno.test("publishNew() publishes once, and leaves what is there", () => {
  using folder = freshFolder();
  const path = `${folder.path}/report`;
  fs.writeFileSync(`${path}.part`, "torn");
  publishNew(diskFiles, folder.path, "report", bytes("first"));
  assert.equal(
    codeOf(() => publishNew(diskFiles, folder.path, "report", bytes("2"))),
    "EEXIST",
  );
  assert.equal(fs.readFileSync(path, "utf8"), "first");
  fs.rmSync(path);
  fs.symlinkSync("absent", path);
  assert.equal(
    codeOf(() => publishNew(diskFiles, folder.path, "report", bytes("2"))),
    "EEXIST",
  );
  assert.deepEqual(fs.readdirSync(folder.path), ["report"]);
});

Deno.test("publish() doesn't write through a link in its way", () => {
  using folder = freshFolder();
  fs.writeFileSync(`${folder.path}/precious`, "precious");
  fs.symlinkSync("precious", `${folder.path}/report.part`);
  fs.symlinkSync("precious", `${folder.path}/report`);
  publish(diskFiles, folder.path, "report", bytes("report"));
  assert.equal(
    fs.readFileSync(`${folder.path}/precious`, "utf8"),
    "precious",
  );
  assert.ok(fs.lstatSync(`${folder.path}/report`).isFile());
});

Deno.test("publish() leaves the old report where it can't make a new one", () => {
  using folder = freshFolder();
  fs.writeFileSync(`${folder.path}/report`, "old");
  fs.mkdirSync(`${folder.path}/report.part/full`, { recursive: true });
  assert.notEqual(
    codeOf(() => publish(diskFiles, folder.path, "report", bytes("new"))),
    "nothing was thrown",
  );
  assert.equal(fs.readFileSync(`${folder.path}/report`, "utf8"), "old");
});
