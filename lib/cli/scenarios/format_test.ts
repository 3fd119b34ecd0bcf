import assert from "node:assert/strict";
import { scenarioBytes, scenarioSchema } from "./format.ts";

const about = {
  format: "tinycoder/scenario",
  format_version: 1,
  name: "example",
  shows: "It shows something.",
  lab_part: "7",
};
const folder = {
  ...about,
  destination: "run",
  before: [],
  expect: { exit_code: 3, message: "" },
};

/** Whether a scenario with this act is one of the format. */
function isAct(act: unknown): boolean {
  return scenarioSchema.safeParse({ ...folder, before: [act] }).success;
}

Deno.test("scenarioSchema takes a scenario, and no other version or key", () => {
  const isScenario = (value: unknown) =>
    scenarioSchema.safeParse(value).success;
  assert.ok(isScenario(folder));
  assert.ok(!isScenario({ ...folder, format_version: 2 }));
  assert.ok(!isScenario({ ...folder, note: "" }));
  assert.ok(!isScenario({ ...folder, name: "../example" }));
  assert.ok(!isScenario({ ...folder, shows: "no sentence" }));
  assert.ok(!isScenario({ ...folder, expect: { exit_code: 0, message: "" } }));
});

Deno.test("scenarioSchema takes paths that stay below the run's folder", () => {
  for (
    const file of ["taken", ".git", "workspace/.toy_math.py.v1.tmp", "a/b"]
  ) {
    assert.ok(isAct({ act: "delete", file }), file);
  }
  for (const file of ["", "/etc", "..", "a/..", "../a", "a//b", "a/", "./a"]) {
    assert.ok(!isAct({ act: "delete", file }), file);
  }
});

Deno.test("scenarioSchema takes a performed fault of what changes something only", () => {
  const fault = { act: "fault", file: "workspace/toy_math.py", code: "EIO" };
  const performed = true;
  for (const operation of ["write", "sync", "rename", "sync_folder"]) {
    assert.ok(isAct({ ...fault, operation, performed }), operation);
  }
  for (const operation of ["open", "read", "create", "facts", "short_write"]) {
    assert.ok(!isAct({ ...fault, operation, performed }), operation);
    assert.ok(isAct({ ...fault, operation }), operation);
  }
});

Deno.test("scenarioSchema fills in what most runs have", () => {
  const final = {
    stop_reason: "cancelled",
    detail: null,
    proposals: 0,
    invalid_proposals: 0,
    version: 0,
    final_evaluation: "performed",
    verified_success: false,
  };
  const source = { clamp: "x", total: "unit" };
  const expect = { observations: [], final, source, backups: [] };
  assert.deepEqual(
    scenarioSchema.parse({ ...about, attempts: [], expect }),
    {
      ...about,
      attempts: [],
      injected: [],
      observations: [],
      expect: {
        ...expect,
        on_disk: "as_recorded",
        workspace: ["TASK.txt", "toy_math.py"],
        records: [],
        absent: [],
      },
    },
  );
});

Deno.test("scenarioBytes() writes text, base64, and text filled up with spaces", () => {
  assert.deepEqual(scenarioBytes("é"), Uint8Array.of(0xc3, 0xa9));
  assert.deepEqual(scenarioBytes({ base64: "/wA=" }), Uint8Array.of(255, 0));
  assert.deepEqual(
    scenarioBytes({ text: "é", spaces_to_bytes: 4 }),
    Uint8Array.of(0xc3, 0xa9, 0x20, 0x20),
  );
  assert.deepEqual(
    scenarioBytes({ text: "é", spaces_to_bytes: 2 }),
    Uint8Array.of(0xc3, 0xa9),
  );
  assert.throws(
    () => scenarioBytes({ text: "é", spaces_to_bytes: 1 }),
    new RangeError("Cannot fill 2 bytes up to 1"),
  );
});
