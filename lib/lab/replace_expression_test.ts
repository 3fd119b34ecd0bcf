import assert from "node:assert/strict";
import { freshLab, PROPOSE } from "../../tests/fresh_lab.ts";
import {
  EXPRESSIONS,
  TOY_MATH,
  TOY_MATH_SHA256,
} from "../../tests/lab_texts.ts";
import { systemError, watchedFiles } from "../../tests/watched_files.ts";
import type { Action } from "./contract/action.ts";
import { admitExpression } from "./expression/admit_expression.ts";
import { initialState, type LabState } from "./lab_state.ts";
import { closeEdit, replaceExpression } from "./replace_expression.ts";
import type { FoundBytes, LabRecorder } from "./lab_events.ts";
import type { Sha256 } from "../system/sha256.ts";

type Replace = Extract<Action, { action: "replace" }>;
const repair: Replace = PROPOSE.repairClamp;
const [v0, v1] = TOY_MATH_SHA256;

/** A state in which the source has been read. */
function readState(): LabState {
  return { ...initialState(), sourceRead: true };
}

/** The state's part that an edit changes. */
function edited({ source, expressions, openEdit }: LabState) {
  const { clamp, total } = expressions;
  return {
    source,
    openEdit,
    expressions: { clamp: clamp.text, total: total.text },
  };
}

const unedited = {
  source: { version: 0, sha256: v0 },
  openEdit: null,
  expressions: EXPRESSIONS[0],
};
const committed = {
  source: { version: 1, sha256: v1 },
  openEdit: null,
  expressions: EXPRESSIONS[1],
};
const intent = {
  function: "clamp",
  old_version: 0,
  before: v0,
  after: v1,
  backup: "toy_math.py.v0",
  temporary: ".toy_math.py.v1.tmp",
};
const receipt = {
  observation: {
    ok: true,
    action: "replace",
    status: "edit_committed",
    function: "clamp",
    old_version: 0,
    version: 1,
    sha256: v1,
    expressions: EXPRESSIONS[1],
  },
  counts: "valid",
};

Deno.test("replaceExpression() refuses in the lab's order, and touches nothing", () => {
  using lab = freshLab();
  const all = { ...repair, version: 6, old: "lo", new: "hi()" };
  const denials: [Partial<Replace>, boolean, string, string?][] = [
    [{}, false, "read_required", "Read toy_math.py before editing it"],
    [{}, true, "stale_version", "The current version is 0, not 6"],
    [
      { version: 0 },
      true,
      "old_mismatch",
      '"old" must be the exact current expression of clamp',
    ],
    [{ version: 0, old: "x" }, true, "expression_forbidden_node"],
    [{ version: 0, old: "x", new: "unit" }, true, "unknown_name"],
    [{ version: 0, old: "x", new: "x +" }, true, "expression_syntax"],
    [{ version: 0, old: "x", new: "x < lo" }, true, "expression_type"],
    [{ version: 0, old: "x", new: "10000000" }, true, "expression_limit"],
    [{ version: 0, old: " x" }, true, "old_mismatch"],
  ];
  for (const [changes, sourceRead, error, message] of denials) {
    const state = { ...initialState(), sourceRead };
    const { observation, ...rest } = replaceExpression(
      { ...lab, state },
      { ...all, ...changes },
    );
    assert.deepEqual({ ...observation, message: "" }, {
      ok: false,
      action: "replace",
      error,
      message: "",
      version: 0,
    });
    if (message !== undefined) assert.equal(observation["message"], message);
    assert.deepEqual(rest, { counts: "invalid" });
    assert.deepEqual(edited(state), unedited);
  }
  assert.deepEqual(lab.kept.said(), []);
  assert.deepEqual([...Deno.readDirSync(`${lab.folder}/backups`)], []);
  assert.equal(lab.text("workspace/toy_math.py"), TOY_MATH[0]);
});

Deno.test("replaceExpression() records intent before and receipt after the edit", () => {
  const order: string[] = [];
  const files = watchedFiles((call) => {
    if (/^(create toy_math.py.v0|create \.|rename)/.test(call)) {
      order.push(call, `${lab.kept.records.length} records`);
    }
  });
  using lab = freshLab(files);
  const state = readState();
  assert.deepEqual(replaceExpression({ ...lab, state }, repair), receipt);
  assert.deepEqual(edited(state), committed);
  assert.deepEqual(lab.kept.said(), [
    ["edit_intent", intent],
    ["edit_committed", { version: 1, sha256: v1, reconciled: false }],
  ]);
  assert.deepEqual(order, [
    "create toy_math.py.v0",
    "0 records",
    "create .toy_math.py.v1.tmp",
    "1 records",
    "rename .toy_math.py.v1.tmp toy_math.py",
    "1 records",
  ]);
  assert.equal(lab.text("workspace/toy_math.py"), TOY_MATH[1]);
  assert.equal(lab.text("backups/toy_math.py.v0"), TOY_MATH[0]);
});

Deno.test("replaceExpression() admits what says the same, and leaves everything as it is", () => {
  using lab = freshLab();
  const state = readState();
  assert.deepEqual(
    replaceExpression({ ...lab, state }, PROPOSE.keepClamp),
    {
      observation: {
        ...receipt.observation,
        status: "no_change",
        version: 0,
        sha256: v0,
        expressions: EXPRESSIONS[0],
      },
      counts: "valid",
    },
  );
  assert.deepEqual(edited(state), unedited);
  assert.deepEqual(lab.kept.said(), []);
  assert.deepEqual([...Deno.readDirSync(`${lab.folder}/backups`)], []);
});

/** An edit during which something happens: its outcome, state and records. */
function editDuring(
  at: string,
  happens: (lab: ReturnType<typeof freshLab>) => void,
) {
  const files = watchedFiles((call) => {
    if (call === at) happens(lab);
  });
  using lab = freshLab(files);
  const state = readState();
  const outcome = replaceExpression({ ...lab, state }, repair);
  return {
    outcome,
    state: edited(state),
    said: lab.kept.said(),
    source: lab.text("workspace/toy_math.py"),
  };
}

/** What an edit comes to that did not happen. */
function without(error: string, message: string, detail?: string) {
  return {
    observation: { ok: false, action: "replace", error, message, version: 0 },
    counts: "neutral",
    stop: error,
    ...(detail === undefined ? {} : { detail }),
  };
}

Deno.test("replaceExpression() abandons an edit that a stop word or deadline overtakes", () => {
  const late = "A deadline passed before the edit committed";
  const cases = [
    {
      cause: "cancelled",
      happens: ({ cell }: ReturnType<typeof freshLab>) => cell.set("cancelled"),
      outcome: without(
        "cancelled",
        "The run was cancelled before the edit committed",
      ),
    },
    {
      cause: "run_expired",
      happens: ({ clock }: ReturnType<typeof freshLab>) => clock.ms = 600_000,
      outcome: without("time_limit", late, "run_expired"),
    },
    {
      cause: "call_expired",
      happens: ({ cell }: ReturnType<typeof freshLab>) =>
        cell.set("call_expired"),
      outcome: without("time_limit", late, "call_expired"),
    },
  ];
  for (const { cause, happens, outcome } of cases) {
    assert.deepEqual(editDuring("sync .toy_math.py.v1.tmp", happens), {
      outcome,
      state: unedited,
      said: [
        ["edit_intent", intent],
        ["edit_fault commit", {
          step: "recheck",
          cause,
          error: null,
          found: "before",
        }],
        ["edit_abandoned", { version: 0, sha256: v0, cause }],
      ],
      source: TOY_MATH[0],
    });
  }
});

Deno.test("replaceExpression() does not reverse an edit that a cancellation came after", () => {
  const { outcome, state } = editDuring(
    "syncFolder workspace",
    ({ cell }) => cell.set("cancelled"),
  );
  assert.deepEqual([outcome, state], [receipt, committed]);
});

Deno.test("replaceExpression() stops where the backup can't be kept, without an intent", () => {
  assert.deepEqual(
    editDuring("create toy_math.py.v0", () => {
      throw systemError("ENOSPC");
    }),
    {
      outcome: without(
        "harness_error",
        "The edit could not be written; the source is unchanged",
        "backup: ENOSPC",
      ),
      state: unedited,
      said: [["edit_fault backup", {
        step: "backup",
        cause: "io",
        error: "ENOSPC",
        found: "before",
      }]],
      source: TOY_MATH[0],
    },
  );
});

Deno.test("replaceExpression() reconciles an uncertain edit by the bytes it finds", () => {
  const fail = () => {
    throw systemError("EIO");
  };
  const before = editDuring("rename .toy_math.py.v1.tmp toy_math.py", fail);
  assert.deepEqual(before.said.slice(1), [
    ["edit_fault commit", {
      step: "rename",
      cause: "io",
      error: "EIO",
      found: "before",
    }],
    ["edit_abandoned", { version: 0, sha256: v0, cause: "io" }],
  ]);
  assert.deepEqual(
    [before.outcome, before.state],
    [
      without(
        "harness_error",
        "The edit could not be written; the source is unchanged",
        "rename: EIO",
      ),
      unedited,
    ],
  );
  const after = editDuring("syncFolder workspace", fail);
  assert.deepEqual(after.said.slice(1), [
    ["edit_fault commit", {
      step: "sync",
      cause: "io",
      error: "EIO",
      found: "after",
    }],
    ["edit_committed", { version: 1, sha256: v1, reconciled: true }],
  ]);
  assert.deepEqual([after.outcome, after.state], [receipt, committed]);
});

Deno.test("replaceExpression() stops at bytes that are neither before nor after", () => {
  const { outcome, state, said } = editDuring(
    "sync .toy_math.py.v1.tmp",
    (lab) => lab.tamper("workspace/toy_math.py", "changed"),
  );
  assert.deepEqual([outcome, state], [
    without(
      "workspace_conflict",
      "A managed file was changed from outside during the edit",
      "recheck: target_changed",
    ),
    unedited,
  ]);
  assert.deepEqual(said.slice(1), [["edit_fault commit", {
    step: "recheck",
    cause: "target_changed",
    error: null,
    found: "other",
  }]]);
});

Deno.test("closeEdit() commits by the bytes after, and writes a receipt either way", () => {
  const cases: [
    FoundBytes | null,
    "process_died" | "target_changed",
    boolean,
  ][] = [
    [null, "process_died", true],
    ["after", "process_died", true],
    ["before", "process_died", false],
    ["other", "process_died", false],
    ["before", "target_changed", false],
  ];
  const said = cases.map(([found, cause, isCommitted]) => {
    using lab = freshLab();
    const state = initialState();
    const admission = admitExpression("clamp", EXPRESSIONS[1].clamp);
    assert(admission.ok);
    state.openEdit = {
      function: "clamp",
      expressions: { ...state.expressions, clamp: admission.expression },
      after: v1 as Sha256,
    };
    const fault = found === null ? null : { cause, found };
    assert.equal(closeEdit(state, lab.recorder, fault), isCommitted);
    assert.deepEqual(edited(state), isCommitted ? committed : unedited);
    return lab.kept.said();
  });
  assert.deepEqual(said, [
    [["edit_committed", { version: 1, sha256: v1, reconciled: false }]],
    [["edit_committed", { version: 1, sha256: v1, reconciled: true }]],
    [["edit_abandoned", { version: 0, sha256: v0, cause: "process_died" }]],
    [],
    [],
  ]);
});

Deno.test("closeEdit() leaves the edit open where the record ends before its receipt", () => {
  const ended = {
    derived: () => {
      throw new Error("The record ends");
    },
  } as unknown as LabRecorder;
  for (const found of ["before", "after"] as const) {
    const state = initialState();
    const admission = admitExpression("clamp", EXPRESSIONS[1].clamp);
    assert(admission.ok);
    const openEdit = {
      function: "clamp" as const,
      expressions: { ...state.expressions, clamp: admission.expression },
      after: v1 as Sha256,
    };
    state.openEdit = openEdit;
    const fault = { cause: "cancelled", found } as const;
    assert.throws(() => closeEdit(state, ended, fault), /The record ends/);
    assert.equal(state.openEdit, openEdit);
    assert.deepEqual(edited({ ...state, openEdit: null }), unedited);
  }
});

Deno.test("closeEdit() has nothing to close without an open edit", () => {
  using lab = freshLab();
  assert.throws(() => closeEdit(initialState(), lab.recorder, null), {
    message: "There is no open edit to close",
  });
});
