import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { readScenarios } from "./catalogue.ts";

const SCENARIO = {
  format: "tinycoder/scenario",
  format_version: 1,
  name: "example",
  shows: "It shows something.",
  lab_part: "3",
  destination: "run",
  before: [],
  expect: { exit_code: 3, message: "" },
};

/** Reads a folder that holds this one file. */
function readFolderWith(name: string, text: string) {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/${name}`, text);
    return readScenarios(pathToFileURL(`${folder}/`));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("readScenarios() reads every file of the fixtures, by name", () => {
  const folder = new URL("../../../fixtures/scenarios/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.ok(files.length > 0);
  assert.deepEqual(readScenarios().map(({ name }) => `${name}.json`), files);
});

Deno.test("readScenarios() names the file that is no scenario", () => {
  const text = JSON.stringify(SCENARIO);
  assert.deepEqual(readFolderWith("example.json", text), [SCENARIO]);
  assert.throws(
    () => readFolderWith("other.json", text),
    new Error(
      'Cannot take "other.json" as a scenario: it calls itself "example"',
    ),
  );
  assert.throws(
    () => readFolderWith("example.json", `${text},`),
    new Error('Cannot take "example.json" as a scenario: it is no JSON'),
  );
  assert.throws(
    () => readFolderWith("example.json", "{}"),
    /^Error: Cannot take "example\.json" as a scenario: \[/,
  );
});
