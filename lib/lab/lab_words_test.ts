import assert from "node:assert/strict";
import {
  actionWords,
  caseLines,
  editOf,
  eventWords,
  scoreLines,
  successWords,
  versionOf,
} from "./lab_words.ts";
import { LAB_DERIVED, LAB_FACTS } from "./lab_catalogue.ts";
import { labTools } from "./lab_tools.ts";

Deno.test("actionWords() names each of the four actions", () => {
  assert.deepEqual(
    [
      { action: "read", file: "TASK.txt" },
      { action: "replace", function: "total", old: "a", new: "b", version: 0 },
      { action: "test" },
      { action: "finish", version: 3 },
    ].map(actionWords),
    ["read TASK.txt", "replace total", "test", "finish version 3"],
  );
});

Deno.test("successWords() tells what each action came to", () => {
  assert.deepEqual(
    [
      { action: "read" },
      { action: "test", passed: 1, total: 4 },
      { action: "replace", status: "edit_committed" },
      { action: "replace", status: "no_change" },
      { action: "finish", status: "finish_accepted" },
    ].map(successWords),
    ["shown", "1 of 4 cases pass", "committed", "no change", "accepted"],
  );
});

Deno.test("editOf() and versionOf() answer only what is there", () => {
  assert.deepEqual(
    editOf({ action: "replace", function: "clamp", old: "x", new: "lo" }),
    { target: "clamp", before: "x", after: "lo" },
  );
  assert.equal(editOf({ action: "test" }), null);
  assert.deepEqual([{ version: 2 }, { version: "2" }, {}].map(versionOf), [
    2,
    null,
    null,
  ]);
});

Deno.test("caseLines() tells public from held-out cases by their place", () => {
  const one = { function: "clamp", inputs: [1, 2, 3], expected: 2 };
  const cases = [
    { ...one, actual: 2 },
    { ...one, actual: 1 },
    { ...one, error: "magnitude_limit" },
    { ...one, actual: 2 },
    { ...one, actual: 2 },
  ];
  const line = { call: "clamp(1, 2, 3)", expected: "2" };
  assert.deepEqual(caseLines({ cases }), [
    { kind: "public", ...line, actual: "2", passes: true },
    { kind: "public", ...line, actual: "1", passes: false },
    { kind: "public", ...line, actual: "magnitude_limit", passes: false },
    { kind: "public", ...line, actual: "2", passes: true },
    { kind: "held-out", ...line, actual: "2", passes: true },
  ]);
  assert.deepEqual(caseLines({}), []);
});

Deno.test("scoreLines() takes a score or says that there is none", () => {
  assert.deepEqual(
    scoreLines({ public: { passed: 3, total: 4 }, held_out: null }),
    [
      { name: "public", score: { passed: 3, total: 4 } },
      { name: "held-out", score: null },
    ],
  );
});

Deno.test("eventWords() has words for each of the lab's own events, and no other", () => {
  const content = {
    file: "TASK.txt",
    finding: "missing",
    kind: "read",
    event_ids: [3],
    old_version: 0,
    version: 1,
    reconciled: true,
    cause: "io",
    step: "rename",
    error: null,
    bytes: "after",
    change: null,
    status: "performed",
  };
  const names = [...Object.keys(LAB_FACTS), ...Object.keys(LAB_DERIVED)];
  assert.deepEqual(
    Object.fromEntries(names.map((name) => [name, eventWords(name, content)])),
    {
      file_changed: "TASK.txt was changed from outside: it is gone",
      edit_fault: 'the edit was held at its step "rename": the system ' +
        "reported a fault",
      workspace_found: "found the files as recorded after the open edit",
      observations_omitted: "left out an older read observation, event 3",
      edit_intent: "about to write version 1",
      edit_committed: "version 1 is on disk, found by its digest",
      edit_abandoned: "the edit is not on disk: the system reported a fault",
      final_evaluation: "final evaluation of version 1: performed",
    },
  );
  assert.equal(
    eventWords("workspace_found", { bytes: "before", change: null }),
    "the files are as last recorded",
  );
  assert.equal(eventWords("loop_stopped", content), null);
});

Deno.test("labTools() has each action's other keys, all required, no more", () => {
  assert.deepEqual(
    labTools().map(({ function: { name, parameters } }) => [
      name,
      Object.keys(parameters["properties"] as Record<string, unknown>),
      parameters["required"],
      parameters["additionalProperties"],
    ]),
    [
      ["read", ["file"], ["file"], false],
      [
        "replace",
        ["function", "old", "new", "version"],
        ["function", "old", "new", "version"],
        false,
      ],
      ["test", [], [], false],
      ["finish", ["version"], ["version"], false],
    ],
  );
});

Deno.test("caseLines() and the other words take content that no run has", () => {
  const hostile = { toString: 1, valueOf: 1 };
  assert.deepEqual(
    caseLines({
      cases: [
        {},
        null,
        { function: hostile, inputs: "x", expected: hostile, actual: [] },
        { function: "clamp", inputs: [1, hostile], expected: 1, error: "E" },
      ],
    }).map(({ call, expected, actual, passes }) => [
      call,
      expected,
      actual,
      passes,
    ]),
    [
      ["nothing(nothing)", "nothing", "nothing", false],
      ["nothing(nothing)", "nothing", "nothing", false],
      [
        '{"toString":1,"valueOf":1}(x)',
        '{"toString":1,"valueOf":1}',
        "[]",
        false,
      ],
      ['clamp(1, {"toString":1,"valueOf":1})', "1", "E", false],
    ],
  );
  for (const action of ["read", "replace", "test", "finish", hostile]) {
    const content = {
      action,
      file: hostile,
      function: hostile,
      old: hostile,
      new: hostile,
      version: hostile,
      passed: hostile,
      total: hostile,
      status: hostile,
    };
    assert.equal(typeof actionWords(content), "string");
    assert.equal(typeof successWords(content), "string");
    editOf(content);
  }
});
