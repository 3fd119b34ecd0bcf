import assert from "node:assert/strict";
import { EVERY_TOOL, scenarioFolder } from "../../../tests/scenario_tools.ts";
import { scenarioSchema, type TamperingScenario } from "./format.ts";
import { runScenario } from "./run.ts";

const NOTES = {
  check: "files",
  file: "notes.txt",
  line: null,
  event: null,
  field: null,
  message: "A run makes no such file",
};

/** What becomes of a run beside which somebody put a file. */
async function outcome(changes: Partial<TamperingScenario>) {
  using room = scenarioFolder();
  const scenario = scenarioSchema.parse({
    format: "tinycoder/scenario",
    format_version: 1,
    name: "tampered",
    shows: "It shows.",
    lab_part: "10",
    tampering: [{ alter: "create", file: "notes.txt", text: "" }],
    expect: NOTES,
    ...changes,
  });
  return await runScenario(scenario, { folder: room.path, tools: EVERY_TOOL });
}

const failed = (...findings: string[]) => ({ outcome: "failed", findings });

Deno.test("checkTampering() wants the finding that is expected, and no other", async () => {
  assert.deepEqual(await outcome({}), { outcome: "passed" });
  assert.deepEqual(
    await outcome({ expect: "holds" }),
    failed("it is refused: A run makes no such file"),
  );
  assert.deepEqual(
    await outcome({ expect: { ...NOTES, check: "records" } }),
    failed('the finding.check is "files", not "records"'),
  );
  assert.deepEqual(
    await outcome({ expect: { ...NOTES, line: 1 } }),
    failed("the finding.line is null, not 1"),
  );
});

Deno.test("checkTampering() tells an alteration that isn't found", async () => {
  const unseen: TamperingScenario["tampering"] = [
    {
      alter: "replace",
      file: "audit.jsonl",
      line: 3,
      old: "1970",
      new: "1971",
    },
    { alter: "chain_anew" },
  ];
  assert.deepEqual(
    await outcome({ tampering: unseen }),
    failed("the altered run holds"),
  );
  assert.deepEqual(await outcome({ tampering: unseen, expect: "holds" }), {
    outcome: "passed",
  });
});

Deno.test("checkTampering() alters recovered and signed runs", async () => {
  for (const closed of ["by_recovery", "signed"] as const) {
    assert.deepEqual(await outcome({ closed }), { outcome: "passed" });
  }
});
