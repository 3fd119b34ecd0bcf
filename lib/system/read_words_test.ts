import assert from "node:assert/strict";
import { systemError } from "../../tests/watched_files.ts";
import { readWords } from "./read_words.ts";

Deno.test("readWords() has a clause for what the system answers, and names other codes", () => {
  const coded = (code: string) => readWords(systemError(code));
  assert.deepEqual(
    ["ENOENT", "EACCES", "EPERM", "ENOTDIR", "EIO", "EODD"].map(coded),
    [
      "it is not there",
      "you may not read it",
      "you may not read it",
      "a part of its path is not a folder",
      "the disk failed",
      "the system answered EODD",
    ],
  );
  assert.equal(
    readWords(new Deno.errors.NotCapable("Requires read access")),
    "it does not lie below the current folder",
  );
});

Deno.test("readWords() knows what real files and folders answer", () => {
  const folder = Deno.makeTempDirSync({ prefix: "tinycoder-test-" });
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    Deno.symlinkSync("loop", `${folder}/loop`);
    const answered = (name: string) => {
      try {
        Deno.readTextFileSync(`${folder}/${name}`);
        return null;
      } catch (error) {
        return readWords(error);
      }
    };
    assert.deepEqual(
      ["absent", "file/below", ".", "loop", "n".repeat(300)].map(answered),
      [
        "it is not there",
        "a part of its path is not a folder",
        "it is a folder",
        "it is a link, or leads through links in a circle",
        "its name is too long",
      ],
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
