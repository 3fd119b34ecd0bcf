import assert from "node:assert/strict";
import { freshLab, PROPOSE } from "../../tests/fresh_lab.ts";
import {
  EXPRESSIONS,
  TOY_MATH,
  TOY_MATH_SHA256,
} from "../../tests/lab_texts.ts";
import { systemError, watchedFiles } from "../../tests/watched_files.ts";
import { admitExpression } from "./expression/admit_expression.ts";
import { initialState, type LabState } from "./lab_state.ts";
import { expressionTexts } from "./managed_files.ts";
import { recoverWorkspace } from "./recover_workspace.ts";
import type { Sha256 } from "../system/sha256.ts";

const [v0, v1] = TOY_MATH_SHA256 as unknown as [Sha256, Sha256];

/** The state of a process that died between intent and receipt. */
function openState(): LabState {
  const state = initialState();
  const admission = admitExpression("clamp", PROPOSE.repairClamp.new);
  assert(admission.ok);
  state.openEdit = {
    function: "clamp",
    expressions: { ...state.expressions, clamp: admission.expression },
    after: v1,
  };
  return state;
}

/** What recovery makes of a state and the text that the source has. */
function recovered(state: LabState, source: string) {
  using lab = freshLab();
  lab.tamper("workspace/toy_math.py", source);
  const report = recoverWorkspace(lab.recorder, lab.workspace, state);
  assert.equal(lab.text("workspace/toy_math.py"), source, "It writes nothing");
  assert.equal(state.openEdit, null);
  const { clamp } = expressionTexts(state.expressions);
  return { report, said: lab.kept.said(), source: state.source, clamp };
}

const unperformed = (sha256: string, version: number) => ({
  report: { status: "unperformed", verified: false, sha256, scores: null },
  evaluation: ["final_evaluation", {
    status: "unperformed",
    version,
    sha256,
    cases: [],
  }],
});

Deno.test("recoverWorkspace() reports an intact workspace, and evaluates nothing", () => {
  const { report, evaluation } = unperformed(v0, 0);
  assert.deepEqual(recovered(initialState(), TOY_MATH[0]), {
    report,
    said: [
      ["workspace_found recovery", { bytes: "before", change: null }],
      evaluation,
    ],
    source: { version: 0, sha256: v0 },
    clamp: "x",
  });
});

Deno.test("recoverWorkspace() closes an open edit as committed where its bytes are there", () => {
  const { report, evaluation } = unperformed(v1, 1);
  assert.deepEqual(recovered(openState(), TOY_MATH[1]), {
    report,
    said: [
      ["workspace_found recovery", { bytes: "after", change: null }],
      ["edit_committed", { version: 1, sha256: v1, reconciled: true }],
      evaluation,
    ],
    source: { version: 1, sha256: v1 },
    clamp: EXPRESSIONS[1].clamp,
  });
});

Deno.test("recoverWorkspace() closes an open edit as abandoned where the old bytes are there", () => {
  const { report, evaluation } = unperformed(v0, 0);
  assert.deepEqual(recovered(openState(), TOY_MATH[0]), {
    report,
    said: [
      ["workspace_found recovery", { bytes: "before", change: null }],
      ["edit_abandoned", { version: 0, sha256: v0, cause: "process_died" }],
      evaluation,
    ],
    source: { version: 0, sha256: v0 },
    clamp: "x",
  });
});

Deno.test("recoverWorkspace() finds a conflict in any other bytes, open edit or not", () => {
  const cases: [LabState, string][] = [
    [openState(), TOY_MATH[2]],
    [initialState(), TOY_MATH[2]],
    // The bytes of an edit that no intent announced.
    [initialState(), TOY_MATH[1]],
  ];
  for (const [state, text] of cases) {
    const { report, said } = recovered(state, text);
    assert.deepEqual(report, {
      status: "workspace_conflict",
      verified: false,
      sha256: null,
      scores: null,
    });
    assert.deepEqual(said.map(([event]) => event), [
      "workspace_found recovery",
      "final_evaluation",
    ]);
    const { bytes, change } = said[0]?.[1] as {
      bytes: string;
      change: { finding: string };
    };
    assert.deepEqual([bytes, change.finding], ["other", "bytes_changed"]);
  }
});

Deno.test("recoverWorkspace() seals nothing where the files can't be read", () => {
  const files = watchedFiles((call) => {
    if (call.startsWith("open")) throw systemError("EIO");
  });
  using lab = freshLab(files);
  assert.throws(
    () => recoverWorkspace(lab.recorder, lab.workspace, openState()),
    { code: "EIO" },
  );
  assert.deepEqual(lab.kept.said(), []);
});
