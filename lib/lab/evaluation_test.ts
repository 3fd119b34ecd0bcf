import assert from "node:assert/strict";
import {
  type FreshLab,
  freshLab,
  PROPOSE,
  RUN_DEADLINE_MS,
} from "../../tests/fresh_lab.ts";
import {
  HELD_OUT_RESULTS_V2,
  PUBLIC_RESULTS_V0,
  PUBLIC_RESULTS_V2,
  TOY_MATH,
  TOY_MATH_SHA256,
} from "../../tests/lab_texts.ts";
import { systemError, watchedFiles } from "../../tests/watched_files.ts";
import { evaluateFinalSource } from "./evaluation.ts";
import { admitExpression } from "./expression/admit_expression.ts";
import { initialState, type LabState } from "./lab_state.ts";
import type { Sha256 } from "../system/sha256.ts";

const [v0, , v2] = TOY_MATH_SHA256 as unknown as [Sha256, Sha256, Sha256];
const repaired = {
  public: { passed: 4, total: 4 },
  held_out: { passed: 8, total: 8 },
};

/** The state of a repaired source, whose finish was accepted. */
function repairedState(): LabState {
  const clamp = admitExpression("clamp", PROPOSE.repairClamp.new);
  const total = admitExpression("total", PROPOSE.repairTotal.new);
  assert(clamp.ok && total.ok);
  const source = { version: 2, sha256: v2 };
  return {
    ...initialState(),
    sourceRead: true,
    source,
    finish: source,
    expressions: { clamp: clamp.expression, total: total.expression },
  };
}

/** A lab whose disk holds the repaired source. */
function repairedLab(files?: Parameters<typeof freshLab>[0]): FreshLab {
  const lab = freshLab(files);
  lab.tamper("workspace/toy_math.py", TOY_MATH[2]);
  return lab;
}

/** The last record's event and content. */
function recorded(lab: FreshLab) {
  return lab.kept.said().at(-1);
}

Deno.test("evaluateFinalSource() verifies an accepted finish by all twelve cases", () => {
  using lab = repairedLab();
  assert.deepEqual(
    evaluateFinalSource(lab, repairedState(), "finish_accepted"),
    { status: "performed", sha256: v2, scores: repaired, verified: true },
  );
  assert.deepEqual(lab.kept.said(), [["final_evaluation", {
    status: "performed",
    version: 2,
    sha256: v2,
    cases: [...PUBLIC_RESULTS_V2, ...HELD_OUT_RESULTS_V2],
  }]]);
});

Deno.test("evaluateFinalSource() evaluates a run that exhausted its proposals, and verifies nothing", () => {
  for (
    const stop of [
      "proposal_limit",
      "invalid_proposal_limit",
      "cancelled",
      "time_limit",
      "model_error",
      "context_limit",
      "observation_limit",
    ] as const
  ) {
    using lab = repairedLab();
    assert.deepEqual(
      evaluateFinalSource(lab, { ...repairedState(), finish: null }, stop),
      { status: "performed", sha256: v2, scores: repaired, verified: false },
      stop,
    );
  }
});

Deno.test("evaluateFinalSource() verifies no finish of another version or digest", () => {
  const finishes = [
    null,
    { version: 1, sha256: v2 },
    { version: 2, sha256: v0 },
  ];
  for (const finish of finishes) {
    using lab = repairedLab();
    const state = { ...repairedState(), finish };
    const { status, verified } = evaluateFinalSource(
      lab,
      state,
      "finish_accepted",
    );
    assert.deepEqual([status, verified], ["performed", false]);
  }
});

Deno.test("evaluateFinalSource() verifies no source that fails a case, or errs in one", () => {
  // The initial source passes what both formulas agree on.
  using lab = freshLab();
  const state = initialState();
  assert.deepEqual(
    evaluateFinalSource(
      lab,
      { ...state, finish: state.source },
      "finish_accepted",
    ),
    {
      status: "performed",
      sha256: v0,
      scores: {
        public: { passed: 0, total: 4 },
        held_out: { passed: 2, total: 8 },
      },
      verified: false,
    },
  );
  const cases = recorded(lab)?.[1]["cases"] as readonly unknown[];
  assert.deepEqual(cases.slice(0, 4), PUBLIC_RESULTS_V0);

  using other = repairedLab();
  const tooBig = admitExpression("total", "1000000 * 2 + unit");
  assert(tooBig.ok);
  const erring = repairedState();
  const { scores, verified } = evaluateFinalSource(other, {
    ...erring,
    expressions: { ...erring.expressions, total: tooBig.expression },
  }, "finish_accepted");
  assert.deepEqual([scores, verified], [
    { public: { passed: 2, total: 4 }, held_out: { passed: 4, total: 8 } },
    false,
  ]);
});

Deno.test("evaluateFinalSource() evaluates nothing after a harness error or a conflict", () => {
  using unsafe = repairedLab();
  const untested = { sha256: v2, scores: null, verified: false };
  assert.deepEqual(
    evaluateFinalSource(unsafe, repairedState(), "harness_error"),
    { status: "unsafe", ...untested },
  );
  assert.deepEqual(recorded(unsafe), ["final_evaluation", {
    status: "unsafe",
    version: 2,
    sha256: v2,
    cases: [],
  }]);
  using conflict = repairedLab();
  assert.deepEqual(
    evaluateFinalSource(conflict, repairedState(), "workspace_conflict"),
    { status: "workspace_conflict", ...untested },
  );
});

Deno.test("evaluateFinalSource() takes no snapshot of a source that was changed", () => {
  using lab = repairedLab();
  lab.tamper("workspace/toy_math.py", TOY_MATH[0]);
  assert.deepEqual(
    evaluateFinalSource(lab, repairedState(), "finish_accepted"),
    {
      status: "workspace_conflict",
      sha256: null,
      scores: null,
      verified: false,
    },
  );
  assert.deepEqual(lab.kept.said(), [
    ["file_changed snapshot", {
      file: "toy_math.py",
      finding: "bytes_changed",
      sha256: v0,
    }],
    ["final_evaluation", {
      status: "workspace_conflict",
      version: 2,
      sha256: null,
      cases: [],
    }],
  ]);
});

Deno.test("evaluateFinalSource() does not begin at the run's deadline", () => {
  const evaluateAt = (ms: number) => {
    using lab = repairedLab();
    lab.clock.ms = ms;
    return evaluateFinalSource(lab, repairedState(), "finish_accepted");
  };
  assert.equal(evaluateAt(RUN_DEADLINE_MS - 1).status, "performed");
  assert.deepEqual(evaluateAt(RUN_DEADLINE_MS), {
    status: "deadline",
    sha256: v2,
    scores: null,
    verified: false,
  });
});

Deno.test("evaluateFinalSource() begins after a call's deadline or a cancellation", () => {
  for (const word of ["call_expired", "cancelled"] as const) {
    using lab = repairedLab();
    lab.cell.set(word);
    const { status } = evaluateFinalSource(lab, repairedState(), "time_limit");
    assert.equal(status, "performed");
  }
  using lab = repairedLab();
  lab.cell.set("run_expired");
  assert.equal(
    evaluateFinalSource(lab, repairedState(), "time_limit").status,
    "deadline",
  );
});

Deno.test("evaluateFinalSource() is interrupted by the deadline after any of its cases", () => {
  // Readings of the clock: each record takes one; the gate one a question.
  for (let at = 1; at <= 12; at++) {
    using lab = repairedLab();
    let questions = 0;
    const { gate } = lab;
    lab.clock.onRead = () => {
      if (++questions > at) lab.clock.ms = RUN_DEADLINE_MS;
    };
    assert.deepEqual(
      evaluateFinalSource({ ...lab, gate }, repairedState(), "finish_accepted"),
      { status: "interrupted", sha256: v2, scores: null, verified: false },
      `after case ${at}`,
    );
    assert.deepEqual(lab.kept.said(), [
      ["stop_requested during_evaluation", { stop: "run_expired" }],
      ["final_evaluation", {
        status: "interrupted",
        version: 2,
        sha256: v2,
        cases: [],
      }],
    ]);
  }
});

Deno.test("evaluateFinalSource() looks again before it claims success", () => {
  let opened = 0;
  const files = watchedFiles((call) => {
    if (call === "open toy_math.py" && ++opened === 2) {
      lab.tamper("workspace/toy_math.py", TOY_MATH[0]);
    }
  });
  using lab = repairedLab(files);
  assert.deepEqual(
    evaluateFinalSource(lab, repairedState(), "finish_accepted"),
    {
      status: "workspace_conflict",
      sha256: v2,
      scores: repaired,
      verified: false,
    },
  );
  assert.equal(lab.kept.said()[0]?.[0], "file_changed after_evaluation");
});

Deno.test("evaluateFinalSource() is unsafe where the files can't be read", () => {
  const files = watchedFiles((call) => {
    if (call.startsWith("open")) throw systemError("EIO");
  });
  using lab = repairedLab(files);
  assert.deepEqual(
    evaluateFinalSource(lab, repairedState(), "finish_accepted"),
    { status: "unsafe", sha256: null, scores: null, verified: false },
  );
  assert.deepEqual(lab.kept.said(), [
    ["harness_fault evaluation", { error: "Error", message: "" }],
    ["final_evaluation", {
      status: "unsafe",
      version: 2,
      sha256: null,
      cases: [],
    }],
  ]);
});
