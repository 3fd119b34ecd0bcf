import assert from "node:assert/strict";
import {
  freshFolder,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { CommandError } from "../system/command_error.ts";
import type { Files } from "../system/files.ts";
import { deliver, writeResult } from "./written_result.ts";

/** Files whose current folder is another one. */
function within(folder: string, changes: Partial<Files> = {}): Files {
  return {
    ...unflushedFiles,
    realPath: (path) => unflushedFiles.realPath(path === "." ? folder : path),
    ...changes,
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Names in a folder with their content. */
function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
      .map(({ name }) => [name, Deno.readTextFileSync(`${folder}/${name}`)]),
  );
}

function why(expected: string) {
  return (error: unknown) => {
    assert(error instanceof CommandError);
    assert.equal(error.exitCode, 3);
    assert.equal(error.message.split("\n")[0], expected);
    return true;
  };
}

Deno.test("writeResult() creates a file, owner-only, and replaces only when told to", () => {
  using fresh = freshFolder();
  const files = within(fresh.path);
  writeResult(files, "./a.html", bytes("1"), false);
  assert.equal(Deno.statSync(`${fresh.path}/a.html`).mode! & 0o777, 0o600);
  assert.throws(
    () => writeResult(files, "a.html", bytes("2"), false),
    why('Cannot write "a.html": it exists already.'),
  );
  assert.deepEqual(contents(fresh.path), { "a.html": "1" });
  writeResult(files, `${fresh.path}/a.html`, bytes("3"), true);
  assert.deepEqual(contents(fresh.path), { "a.html": "3" });
});

Deno.test("writeResult() writes below real folders of the current one alone", () => {
  using fresh = freshFolder();
  const files = within(fresh.path);
  Deno.mkdirSync(`${fresh.path}/sub`);
  Deno.symlinkSync("sub", `${fresh.path}/link`);
  writeResult(files, "sub/b", bytes("1"), false);
  assert.deepEqual(contents(`${fresh.path}/sub`), { b: "1" });
  const outside = "it is no file below the current folder.";
  for (const path of ["../c", "/c", "sub/../../c", ".", "sub/", "sub/."]) {
    assert.throws(
      () => writeResult(files, path, bytes("1"), true),
      why(`Cannot write ${JSON.stringify(path)}: ${outside}`),
    );
  }
  for (
    const [path, says] of [
      ["", '"": its name is empty.'],
      ["-c", '"-c": its name reads as an option.'],
      [
        "a\0b",
        '"a\\u{0}b": its name has characters that can\'t be shown as they are.',
      ],
      [
        "a\nb",
        '"a\\u{a}b": its name has characters that can\'t be shown as they are.',
      ],
      [
        "a\u202eb",
        '"a\\u{202e}b": its name has characters that can\'t be shown as they are.',
      ],
    ] as const
  ) {
    assert.throws(
      () => writeResult(files, path, bytes("1"), true),
      why(`Cannot write ${says}`),
    );
  }
  assert.throws(
    () => writeResult(files, "link/c", bytes("1"), true),
    why('Cannot write "link/c": a folder around it is a link.'),
  );
  assert.throws(
    () => writeResult(files, "none/c", bytes("1"), true),
    why('Cannot write "none/c": the folder around it does not exist.'),
  );
});

Deno.test("writeResult() replaces no link and no folder, even when told to", () => {
  using fresh = freshFolder();
  const files = within(fresh.path);
  Deno.writeTextFileSync(`${fresh.path}/target`, "kept");
  Deno.symlinkSync("target", `${fresh.path}/link`);
  Deno.mkdirSync(`${fresh.path}/sub`);
  assert.throws(
    () => writeResult(files, "link", bytes("1"), true),
    why('Cannot write "link": it is a link.'),
  );
  assert.throws(
    () => writeResult(files, "sub", bytes("1"), true),
    why('Cannot write "sub": it is a folder.'),
  );
  assert.equal(Deno.readTextFileSync(`${fresh.path}/target`), "kept");
});

Deno.test("writeResult() keeps out of a run's and a model's folder", () => {
  using fresh = freshFolder();
  const files = within(fresh.path);
  for (
    const [name, mark, what] of [
      ["run", "audit.jsonl", "a run's folder"],
      ["model", "acquisition.json", "a model folder"],
    ]
  ) {
    Deno.mkdirSync(`${fresh.path}/${name}/deep`, { recursive: true });
    Deno.writeTextFileSync(`${fresh.path}/${name}/${mark}`, "");
    for (const path of [`${name}/a`, `${name}/deep/a`]) {
      assert.throws(
        () => writeResult(files, path, bytes("1"), true),
        why(`Cannot write "${path}": it lies inside ${what}.`),
      );
    }
  }
});

Deno.test("writeResult() leaves all or nothing where the disk fails", () => {
  using fresh = freshFolder();
  const fault = () => {
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  };
  const short = within(fresh.path, {
    create: (path) => ({ ...unflushedFiles.create(path), write: () => 0 }),
  });
  const faults: [Files, string][] = [
    [within(fresh.path, { create: fault }), "the disk is full"],
    [within(fresh.path, { rename: fault }), "the disk is full"],
    [short, "the disk is full"],
  ];
  for (const [files, says] of faults) {
    assert.throws(
      () => writeResult(files, "a", bytes("1"), false),
      why(`Cannot write "a": ${says}.`),
    );
    assert.deepEqual(contents(fresh.path), {});
  }
});

Deno.test("deliver() prints where there is no --out, and says what it wrote", () => {
  using fresh = freshFolder();
  const files = within(fresh.path);
  const said: string[] = [];
  const terminal = {
    out: (text: string) => said.push(`out ${text}`),
    note: (text: string) => said.push(`note ${text}`),
    outColor: false,
    noteColor: false,
    noteIsTerminal: false,
  };
  deliver(files, "text", { operands: [], options: {} }, terminal);
  deliver(files, "text", { operands: [], options: { out: "f" } }, terminal);
  assert.deepEqual(said, ["out text", "note Written: f\n"]);
  assert.throws(
    () =>
      deliver(files, "", { operands: [], options: { force: true } }, terminal),
    (error) => error instanceof CommandError && error.exitCode === 2,
  );
});
