// A whole run whose model worker misbehaves: the real controller, the real
// source, and everything of the worker but the session of ONNX Runtime. Whatever
// such a worker does, the run ends with evidence that holds, and never with an
// edit.

import assert from "node:assert/strict";
import type { JsonObject } from "../lib/agent/json.ts";
import type { ControllerStart } from "../lib/cli/controller_thread.ts";
import { verificationOf } from "../lib/cli/lab_verification.ts";
import { RUN_COVERS } from "../lib/cli/run_covers.ts";
import type { Manifest } from "../lib/evidence/manifest.ts";
import { verifyRun } from "../lib/evidence/verify.ts";
import {
  type ModelChannel,
  type ModelProgress,
  ModelSource,
} from "../lib/model/model_source.ts";
import { ENGINE_THREADS } from "../lib/model/worker_protocol.ts";
import { CALL_MS, RUN_MS } from "../lib/supervisor/deadline_gate.ts";
import { supervise } from "../lib/supervisor/supervise.ts";
import { diskFiles } from "../lib/system/files.ts";
import { controllerRights, modelRights } from "../lib/system/permissions.ts";
import { freshFolder } from "./baseline_in_process.ts";
import { PACKED_BINDING, TINY_FOLDER, TINY_MANIFEST } from "./model_fixture.ts";
import type { Behaviour } from "./model_stand_in_worker.ts";
import { EXTENSION, toldDeclaration } from "./told_model.ts";

Deno.env.set("ORT_DISABLE_TELEMETRY", "1");

/** What a run with a misbehaving worker left. */
interface Left {
  readonly final: JsonObject;
  readonly records: readonly JsonObject[];
  /** Everything that the worker told of its progress. */
  readonly progress: readonly ModelProgress[];
}

/** Conducts a run with a worker that behaves like this, and verifies it. */
async function conducted(
  behaviour: Behaviour,
  deadlines: { readonly runMs?: number; readonly callMs?: number } = {},
): Promise<Left> {
  using folder = freshFolder();
  const manifest = { ...TINY_MANIFEST, label: behaviour };
  const worker = new Worker(
    new URL("model_stand_in_worker.ts", import.meta.url),
    {
      type: "module",
      deno: { permissions: modelRights(TINY_FOLDER, PACKED_BINDING) },
    } as WorkerOptions,
  );
  const progress: ModelProgress[] = [];
  const source = new ModelSource(worker as unknown as ModelChannel, {
    folder: TINY_FOLDER,
    binding: PACKED_BINDING,
    manifest,
    threads: ENGINE_THREADS,
  }, (told) => progress.push(told));
  const records: JsonObject[] = [];
  const end = await supervise<ControllerStart>({
    controller: {
      url: new URL("../worker/controller.ts", import.meta.url),
      permissions: controllerRights(folder.path),
      start: {
        folder: folder.path,
        runId: crypto.randomUUID(),
        declared: {
          source: "model",
          coreTrial: false,
          extension: "a worker that misbehaves",
          authority: { opt_in: "flag", covers: RUN_COVERS },
          runtime: {},
          model: toldDeclaration({ ...EXTENSION, manifest }),
        },
      },
    },
    source,
    cancel: new AbortController().signal,
    onRecord: (record) => records.push(record),
    ...deadlines,
  });
  source.close();
  assert(end.kind === "ended", JSON.stringify(end));
  await assertHolds(folder.path);
  const { final } = end;
  assert.deepEqual(
    [final["verified_success"], final["version"]],
    [false, 0],
  );
  return { final, records, progress };
}

/** Asserts that the evidence holds, all but the deadlines that a test shortens. */
async function assertHolds(folder: string): Promise<void> {
  const withLabLimits = (found: Manifest): Manifest => ({
    ...found,
    limits: { ...found.limits, run_ms: RUN_MS, call_ms: CALL_MS },
  });
  const verification = await verifyRun({
    files: diskFiles,
    folder,
    taskOf: (name) => {
      const task = verificationOf(diskFiles, folder)(name);
      return task && {
        ...task,
        contradictionIn: (found) => task.contradictionIn(withLabLimits(found)),
      };
    },
  });
  assert.equal(verification.discrepancy, null);
  assert.equal(verification.holds, true);
}

/** How a run stopped, and after how many proposals, refused ones among them. */
function ending({ final }: Left) {
  const { stop_reason, detail, proposals, invalid_proposals } = final;
  return [stop_reason, detail, proposals, invalid_proposals];
}

/** Contents of the events of one kind. */
const contents = ({ records }: Left, kind: string) =>
  records.filter(({ event }) => event === kind)
    .map(({ content }) => content as JsonObject);

Deno.test("a network that ends at once makes empty proposals, and nothing else offers one", async () => {
  const left = await conducted("end-at-once");
  assert.deepEqual(ending(left), ["invalid_proposal_limit", null, 2, 2]);
  assert.deepEqual(
    contents(left, "proposal_received").map((
      { proposal_text, source_facts },
    ) => [proposal_text, (source_facts as JsonObject)["raw_output_ids"]]),
    [["", [3]], ["", [3]]],
  );
  assert.deepEqual(
    contents(left, "observation_made").map(({ observation }) =>
      (observation as JsonObject)["error"]
    ),
    ["invalid_json", "invalid_json"],
  );
});

const TROUBLES: readonly (readonly [Behaviour, string, number])[] = [
  ["throw-load", "The stand-in threw in load", 0],
  ["throw-prefill", "The stand-in threw in prefill", 1],
  ["throw-decode", "The stand-in threw in decode", 1],
  ["die", "The model worker ended by an error", 1],
  ["oversized", "The model worker said something it never says", 1],
  ["malformed", "The model worker said something it never says", 1],
];

for (const [behaviour, detail, proposals] of TROUBLES) {
  Deno.test(`a model worker's "${behaviour}" is a model_error, and is recorded`, async () => {
    const left = await conducted(behaviour);
    assert.deepEqual(ending(left), ["model_error", detail, proposals, 0]);
    const [failed] = contents(
      left,
      proposals === 0 ? "model_loaded" : "proposal_received",
    );
    assert.deepEqual(
      [failed?.["failed"], failed?.["detail"]],
      ["model_error", detail],
    );
    assert.deepEqual(contents(left, "observation_made"), []);
  });
}

for (const behaviour of ["unasked", "double"] as const) {
  Deno.test(`a model worker's "${behaviour}" messages are ignored, and counted`, async () => {
    const left = await conducted(behaviour);
    assert.deepEqual(ending(left), ["invalid_proposal_limit", null, 2, 2]);
    // The second copy of an answer comes after it, so that the next one tells.
    assert.deepEqual(
      contents(left, "proposal_received").map(({ source_facts }) =>
        (source_facts as JsonObject)["ignored_messages"] ?? 0
      ),
      behaviour === "unasked" ? [1, 2] : [0, 1],
    );
  });
}

Deno.test("a model worker that closes itself is waited for until the call's deadline", async () => {
  const left = await conducted("close", { callMs: 1_000 });
  assert.deepEqual(ending(left), ["time_limit", "call_expired", 1, 0]);
});

const HANGS = [
  { stage: "load", detail: "run_expired", proposals: 0 },
  { stage: "prefill", detail: "call_expired", proposals: 1 },
  { stage: "decode", detail: "call_expired", proposals: 1 },
] as const;

for (const { stage, detail, proposals } of HANGS) {
  Deno.test(`a hang in ${stage} ends by the deadline, with evidence that holds`, async () => {
    const deadline = stage === "load" ? "runMs" : "callMs";
    for (const ms of DEADLINES) {
      const left = await conducted(`hang-${stage}`, { [deadline]: ms });
      assert.deepEqual(ending(left), ["time_limit", detail, proposals, 0]);
      const { final_evaluation } = left.final;
      assert.equal(
        final_evaluation,
        stage === "load" ? "deadline" : "performed",
      );
      const [failed] = contents(
        left,
        stage === "load" ? "model_loaded" : "proposal_received",
      );
      assert.deepEqual(
        [failed?.["failed"], failed?.["detail"]],
        ["time_limit", detail],
      );
      if (hangsIn(left, stage)) return;
    }
    assert.fail(`No deadline was late enough to reach ${stage}`);
  });
}

/** In milliseconds: a slow machine may need more to get as far as the hang. */
const DEADLINES = [1_000, 8_000, 64_000];

/** Whether the worker came as far as the place where it hangs. */
function hangsIn({ progress }: Left, stage: string): boolean {
  return progress.some((told) =>
    told.stage === (stage === "load" ? "session" : stage)
  );
}
