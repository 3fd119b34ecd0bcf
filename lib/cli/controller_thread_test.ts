import assert from "node:assert/strict";
import baseline from "../../fixtures/baseline.json" with { type: "json" };
import { freshFolder } from "../../tests/baseline_in_process.ts";
import { TOY_MATH, TOY_MATH_SHA256 } from "../../tests/lab_texts.ts";
import type { JsonObject } from "../agent/json.ts";
import type { Attempt, Source } from "../agent/source.ts";
import { scriptedSource } from "../source/scripted_source.ts";
import { supervise, type SupervisedRun } from "../supervisor/supervise.ts";
import { NO_RIGHTS } from "../system/permissions.ts";
import type { ControllerStart } from "./controller_thread.ts";

/** Supervises the controller's own worker in a folder. */
function superviseRun(
  folder: string,
  source: Source,
  changes: Partial<SupervisedRun<ControllerStart>> = {},
  permissions: Deno.PermissionOptionsObject = {
    ...NO_RIGHTS,
    read: [folder],
    write: [folder],
  },
) {
  return supervise<ControllerStart>({
    controller: {
      url: new URL("../../worker/controller.ts", import.meta.url),
      permissions,
      start: {
        folder,
        runId: crypto.randomUUID(),
        declared: {
          source: "scripted",
          coreTrial: false,
          extension: null,
          authority: { opt_in: "command", covers: "a test" },
          runtime: {},
          model: null,
        },
      },
    },
    source,
    cancel: new AbortController().signal,
    ...changes,
  });
}

/** A run in a fresh folder: how it ended, and what its folder then holds. */
async function conducted(
  source: Source,
  changes: Partial<SupervisedRun<ControllerStart>> = {},
) {
  using fresh = freshFolder();
  const { path } = fresh;
  const records: JsonObject[] = [];
  const end = await superviseRun(path, source, {
    ...changes,
    onRecord: (record) => {
      records.push(record);
      changes.onRecord?.(record);
    },
  });
  assert(end.kind === "ended", JSON.stringify(end));
  const text = (name: string) => Deno.readTextFileSync(`${path}/${name}`);
  const audit: JsonObject[] = text("audit.jsonl").trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(audit, records, "Each record is told, as it is kept");
  assert.deepEqual(JSON.parse(text("final.json")), end.final);
  return {
    final: end.final,
    manifest: JSON.parse(text("manifest.json")),
    events: audit.map(({ event }) => event),
    audit: text("audit.jsonl"),
    source: text("workspace/toy_math.py"),
  };
}

/** What a final report says of the end. */
function ending(final: JsonObject) {
  const { stop_reason, detail, proposals, final_evaluation } = final;
  return [stop_reason, detail, proposals, final_evaluation];
}

const never = () => new Promise<never>(() => {});

Deno.test("serveController() conducts the baseline in a room of its own", async () => {
  const { final, manifest, source } = await conducted(scriptedSource(baseline));
  assert.deepEqual(ending(final), ["finish_accepted", null, 6, "performed"]);
  assert.deepEqual(
    [final["verified_success"], final["sha256"], source],
    [true, TOY_MATH_SHA256[2], TOY_MATH[2]],
  );
  const { limits, enforced } = manifest;
  assert.deepEqual(limits, {
    proposals: 6,
    consecutive_invalid: 2,
    input_tokens: 2_048,
    run_ms: 600_000,
    call_ms: 120_000,
  });
  assert.deepEqual(enforced, {
    read_outside: "denied",
    write_outside: "denied",
    net: "denied",
    env: "denied",
    sys: "denied",
    run: "denied",
    ffi: "denied",
  });
});

Deno.test("serveController() ends by a call's deadline, and evaluates", async () => {
  const { final, events } = await conducted({ propose: never }, { callMs: 20 });
  assert.deepEqual(ending(final), [
    "time_limit",
    "call_expired",
    1,
    "performed",
  ]);
  assert(!events.includes("observation_made"));
});

Deno.test("serveController() ends by the run's deadline, and evaluates nothing", async () => {
  const { final } = await conducted(
    { load: never, propose: never },
    { runMs: 1 },
  );
  assert.deepEqual(ending(final), ["time_limit", "run_expired", 0, "deadline"]);
  assert.deepEqual([final["public"], final["held_out"]], [null, null]);
});

Deno.test("serveController() ends by a cancellation, and evaluates", async () => {
  const before = await conducted(scriptedSource(baseline), {
    cancel: AbortSignal.abort(),
  });
  assert.deepEqual(ending(before.final), ["cancelled", null, 0, "performed"]);

  const cancel = new AbortController();
  const during = await conducted({
    propose: () => {
      cancel.abort();
      return never();
    },
  }, { cancel: cancel.signal });
  assert.deepEqual(ending(during.final), ["cancelled", null, 1, "performed"]);
});

Deno.test("serveController() keeps an edit that a cancellation came after", async () => {
  const cancel = new AbortController();
  const { final, source } = await conducted(scriptedSource(baseline), {
    cancel: cancel.signal,
    onRecord: ({ event }) => {
      if (event === "edit_committed") cancel.abort();
    },
  });
  assert.deepEqual(
    [final["stop_reason"], final["version"], final["sha256"], source],
    ["cancelled", 1, TOY_MATH_SHA256[1], TOY_MATH[1]],
  );
});

Deno.test("serveController() calls a source that throws a model_error", async () => {
  const { final, events } = await conducted({
    propose: () => Promise.reject(new Error("/secret/path")),
  });
  assert.deepEqual(ending(final), [
    "model_error",
    "The source threw",
    1,
    "performed",
  ]);
  assert.deepEqual(events, [
    "request_assembled",
    "proposal_received",
    "loop_stopped",
    "final_evaluation",
    "times_measured",
    "run_ended",
  ]);
});

Deno.test("serveController() calls a source that can't count any more a model_error", async () => {
  const { final, events } = await conducted({
    countTokens: () => Promise.reject(new Error("/secret/path")),
    propose: () => assert.fail("It must not be asked"),
  });
  assert.deepEqual(ending(final), [
    "model_error",
    "The source threw",
    0,
    "performed",
  ]);
  assert.equal(events[0], "tokens_counted");
});

Deno.test("serveController() hears nothing of a proposal that comes after the stop", async () => {
  const late = Promise.withResolvers<Attempt>();
  const { final, audit } = await conducted({ propose: () => late.promise }, {
    callMs: 20,
    onRecord: ({ event }) => {
      if (event === "loop_stopped") {
        late.resolve({ proposal_text: "too late", elapsed_ms: 0 });
      }
    },
  });
  assert.deepEqual(ending(final).slice(0, 2), ["time_limit", "call_expired"]);
  assert(!audit.includes("too late"));
});

/** How a run fails in a folder that was prepared like this. */
async function failing(
  prepare: (folder: string) => void,
  permissions?: Deno.PermissionOptionsObject,
) {
  using fresh = freshFolder();
  prepare(fresh.path);
  const end = await superviseRun(
    fresh.path,
    { propose: never },
    {},
    permissions,
  );
  assert(end.kind === "failed", JSON.stringify(end));
  const files = [...Deno.readDirSync(fresh.path)].map(({ name }) => name);
  return { failure: end.failure, files: files.sort() };
}

Deno.test("serveController() says why its folder can't be filled", async () => {
  const occupied = await failing((path) => Deno.mkdirSync(`${path}/workspace`));
  assert.deepEqual(occupied.failure, {
    reason: "folder",
    message: "the run folder could not be written",
    code: "EEXIST",
  });
  const used = await failing((path) =>
    Deno.writeTextFileSync(`${path}/audit.jsonl`, "")
  );
  assert.deepEqual(used.failure, {
    reason: "audit",
    message: "The audit could not be created",
    code: "EEXIST",
  });
});

Deno.test("serveController() begins nothing in a room with an open wall", async () => {
  assert.deepEqual(
    await failing(() => {}, { ...NO_RIGHTS, read: true, write: true }),
    {
      failure: {
        reason: "not_enforced",
        message: "the runtime does not deny the controller: " +
          "read_outside, write_outside",
      },
      files: [],
    },
  );
});
