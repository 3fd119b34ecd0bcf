import assert from "node:assert/strict";
import { freshLab, PROPOSE } from "../../tests/fresh_lab.ts";
import { TOY_MATH_SHA256 } from "../../tests/lab_texts.ts";
import type { JsonObject } from "../agent/json.ts";
import { LAB_DERIVED, LAB_FACTS } from "./lab_catalogue.ts";

const sha256 = TOY_MATH_SHA256[0];
const change = { file: "TASK.txt", finding: "missing", sha256: null };

/** One content of each event, with a value that it must not have. */
const EVENTS: Record<string, [JsonObject, JsonObject]> = {
  file_changed: [change, { ...change, file: "../TASK.txt" }],
  edit_fault: [
    { step: "backup", cause: "io", error: "EIO", found: "before" },
    { step: "backup", cause: "io", error: 5, found: "before" },
  ],
  workspace_found: [
    { bytes: "other", change },
    { bytes: "other", change: {} },
  ],
  observations_omitted: [
    { event_ids: [1, 2], kind: "read" },
    { event_ids: [1.5], kind: "read" },
  ],
  edit_intent: [
    {
      function: "clamp",
      old_version: 6,
      before: sha256,
      after: sha256,
      backup: "toy_math.py.v6",
      temporary: ".toy_math.py.v7.tmp",
    },
    {
      function: "clamp",
      old_version: 7,
      before: sha256,
      after: sha256,
      backup: "",
      temporary: "",
    },
  ],
  edit_committed: [
    { version: 1, sha256, reconciled: false },
    { version: 1, sha256: sha256.toUpperCase(), reconciled: false },
  ],
  edit_abandoned: [
    { version: 0, sha256, cause: "cancelled" },
    { version: -1, sha256, cause: "cancelled" },
  ],
  final_evaluation: [
    {
      status: "performed",
      version: 0,
      sha256: null,
      cases: [
        { function: "clamp", inputs: [1, 2, 3], expected: 2, actual: 1 },
        {
          function: "total",
          inputs: [1, 2, 3],
          expected: 2,
          error: "magnitude_limit",
        },
      ],
    },
    {
      status: "performed",
      version: 0,
      sha256: null,
      cases: [{ function: "clamp", inputs: [1, 2, 3], expected: 2 }],
    },
  ],
};

Deno.test("LAB_FACTS and LAB_DERIVED take each event's content, and no other", () => {
  const schemas = { ...LAB_FACTS, ...LAB_DERIVED };
  assert.deepEqual(Object.keys(schemas), Object.keys(EVENTS));
  for (const [event, schema] of Object.entries(schemas)) {
    const [content, wrong] = EVENTS[event] ?? [];
    assert.deepEqual(schema.parse(content), content);
    assert.equal(schema.safeParse(wrong).success, false, event);
    const extra = { ...content, extra: 1 };
    assert.equal(schema.safeParse(extra).success, false, `${event} extra`);
  }
});

Deno.test("LAB_FACTS and LAB_DERIVED take what a task records", () => {
  using lab = freshLab();
  const { readSource, repairClamp, repairTotal, test } = PROPOSE;
  for (const one of [readSource, repairClamp, repairTotal, test]) lab.take(one);
  lab.task.evaluate("proposal_limit");
  lab.tamper("workspace/TASK.txt", "changed");
  lab.take(test);
  const schemas: Record<string, { parse(content: unknown): unknown }> = {
    ...LAB_FACTS,
    ...LAB_DERIVED,
  };
  const own = lab.kept.records.filter(({ event }) =>
    event !== "observation_made"
  );
  assert.deepEqual(own.map(({ event }) => event), [
    "edit_intent",
    "edit_committed",
    "edit_intent",
    "edit_committed",
    "final_evaluation",
    "file_changed",
  ]);
  for (const { event, content } of own) {
    assert.deepEqual(schemas[event]?.parse(content), content);
  }
});
