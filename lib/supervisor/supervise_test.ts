import assert from "node:assert/strict";
import type { Asking } from "../../tests/workers/asking_controller.ts";
import type { Trouble } from "../../tests/workers/troubled_controller.ts";
import type { Source } from "../agent/source.ts";
import { NO_RIGHTS } from "../system/permissions.ts";
import {
  supervise,
  type SupervisedEnd,
  type SupervisedRun,
} from "./supervise.ts";

type Changes = Partial<Omit<SupervisedRun<unknown>, "controller">>;

const never = () => new Promise<never>(() => {});
const nobody: Source = { propose: () => assert.fail("It must not be asked") };

/** Supervises one of the workers of the tests' own. */
function superviseWorker<Start>(
  worker: string,
  start: Start,
  changes: Changes = {},
): Promise<SupervisedEnd> {
  return supervise<Start>({
    controller: {
      url: new URL(`../../tests/workers/${worker}.ts`, import.meta.url),
      permissions: NO_RIGHTS,
      start,
    },
    source: nobody,
    cancel: new AbortController().signal,
    ...changes,
  });
}

/** What an asking controller ends with. */
async function answersTo(start: Asking, changes: Changes) {
  const end = await superviseWorker("asking_controller", start, changes);
  assert(end.kind === "ended", JSON.stringify(end));
  return end.final;
}

/** Supervises a controller in trouble; unheard, it ends as silent. */
const troubled = (trouble: Trouble, changes?: Changes) =>
  superviseWorker("troubled_controller", trouble, {
    runMs: 20_000,
    sealMs: 1,
    ...changes,
  });

Deno.test("supervise() tells the controller the lab's deadlines, or the given ones", async () => {
  const told = async (changes: Changes) => {
    const { runMs, callMs } = await answersTo({ asks: [] }, changes);
    return [runMs, callMs];
  };
  assert.deepEqual(await told({}), [600_000, 120_000]);
  assert.deepEqual(await told({ runMs: 60_000, callMs: 7 }), [60_000, 7]);
});

Deno.test("supervise() asks the source, and passes on each record and answer", async () => {
  const asked: unknown[] = [];
  const records: unknown[] = [];
  const messages = [{ role: "user", content: "?" }];
  const { answers, abilities, word } = await answersTo(
    { asks: ["load", "count_tokens", "propose"] },
    {
      source: {
        load: () => Promise.resolve({ elapsed_ms: 1, source_facts: { a: 1 } }),
        countTokens: (shown) => {
          asked.push(shown);
          return Promise.resolve({ tokens: 7 });
        },
        propose: (request) => {
          asked.push(request);
          return Promise.resolve({ proposal_text: "{}", elapsed_ms: 2 });
        },
      },
      onRecord: (record) => records.push(record),
    },
  );
  assert.deepEqual([answers, abilities, word], [
    [{ source_facts: { a: 1 } }, { tokens: 7 }, { proposal_text: "{}" }],
    { load: true, countTokens: true },
    0,
  ]);
  assert.deepEqual(asked, [messages, { proposalNumber: 3, messages }]);
  assert.deepEqual(records, [1, 2, 3].map((answered) => ({ answered })));
});

Deno.test("supervise() answers for a source that throws, rejects, or can't do it", async () => {
  const failed = { failed: "model_error", detail: "The source threw" };
  const sources: Source[] = [
    {
      propose: () => {
        throw new Error("/secret/path");
      },
    },
    { propose: () => Promise.reject(new Error("/secret/path")) },
  ];
  for (const source of sources) {
    const { answers } = await answersTo(
      { asks: ["propose", "load", "count_tokens"] },
      { source },
    );
    assert.deepEqual(answers, [failed, failed, failed]);
  }
});

Deno.test("supervise() ends a call at its deadline, and asks the source nothing more", async () => {
  let calls = 0;
  const { answers, word } = await answersTo(
    { asks: ["propose", "propose", "count_tokens"], callMs: 20 },
    {
      source: {
        propose: () => {
          calls++;
          return never();
        },
        countTokens: () => assert.fail("It must not be asked"),
      },
    },
  );
  const expired = { failed: "time_limit", detail: "call_expired" };
  assert.deepEqual([answers, word, calls], [[expired, expired, expired], 2, 1]);
});

Deno.test("supervise() ends loading, counting and a call at the run's deadline", async () => {
  const expired = { failed: "time_limit", detail: "run_expired" };
  for (const ask of ["load", "count_tokens", "propose"] as const) {
    const source = { load: never, countTokens: never, propose: never };
    const { answers, word } = await answersTo(
      { asks: [ask] },
      { source, runMs: 200 },
    );
    assert.deepEqual([answers, word], [[expired], 3], ask);
  }
});

Deno.test("supervise() lets a call end that its run outlives, and the next one begin", async () => {
  const { answers } = await answersTo(
    { asks: ["propose", "propose"], callMs: 60_000 },
    {
      source: {
        propose: ({ proposalNumber }) =>
          Promise.resolve({
            proposal_text: `${proposalNumber}`,
            elapsed_ms: 0,
          }),
      },
    },
  );
  assert.deepEqual(answers, [{ proposal_text: "1" }, { proposal_text: "2" }]);
});

Deno.test("supervise() passes a cancellation on, before and during a call", async () => {
  const cancelled = { failed: "cancelled" };
  const early = await answersTo(
    { asks: ["propose"] },
    { cancel: AbortSignal.abort() },
  );
  assert.deepEqual([early["answers"], early["word"]], [[cancelled], 1]);
  const told = await answersTo(
    { asks: ["propose"] },
    { cancel: AbortSignal.abort("The output was closed") },
  );
  assert.deepEqual(told["answers"], [
    { ...cancelled, detail: "The output was closed" },
  ]);

  const controller = new AbortController();
  const during = await answersTo(
    { asks: ["propose", "propose"] },
    {
      cancel: controller.signal,
      source: {
        propose: () => {
          controller.abort();
          return Promise.resolve({ proposal_text: "late", elapsed_ms: 0 });
        },
      },
    },
  );
  assert.deepEqual([during["answers"], during["word"]], [
    [cancelled, cancelled],
    1,
  ]);
});

Deno.test("supervise() keeps to the first word", async () => {
  const controller = new AbortController();
  const { answers, word } = await answersTo(
    { asks: ["propose", "propose"], callMs: 1 },
    {
      cancel: controller.signal,
      source: { propose: never },
      onRecord: () => controller.abort(),
    },
  );
  const expired = { failed: "time_limit", detail: "call_expired" };
  assert.deepEqual([answers, word], [[expired, expired], 2]);
});

Deno.test("supervise() ends with a controller that crashes, and with what it said", async () => {
  const failure = (end: SupervisedEnd) => {
    assert(end.kind === "failed", JSON.stringify(end));
    return end.failure;
  };
  assert.deepEqual(failure(await troubled({ kind: "crash" })), {
    reason: "crashed",
    message: "Uncaught Error: out of order",
  });
  const own = { reason: "audit", message: "m", code: "ENOSPC" } as const;
  const message = { type: "failed", failure: own };
  assert.deepEqual(failure(await troubled({ kind: "says", message })), own);
  for (const message of [null, "ended", { type: "start" }, { kind: "ended" }]) {
    assert.deepEqual(failure(await troubled({ kind: "says", message })), {
      reason: "crashed",
      message: "the controller said what no controller says",
    });
  }
});

Deno.test("supervise() gives a stopped controller its time to seal, and no more", async () => {
  const silent = {
    kind: "failed",
    failure: {
      reason: "silent",
      message: "the controller did not seal its evidence in time",
    },
  };
  const short = { runMs: 1, sealMs: 1 };
  assert.deepEqual(await troubled({ kind: "silence" }, short), silent);
  assert.deepEqual(
    await troubled({ kind: "silence" }, {
      cancel: AbortSignal.abort(),
      sealMs: 1,
    }),
    silent,
  );
  // A thread that is held can't be ended; it is not waited for either.
  const until = new SharedArrayBuffer(4);
  assert.deepEqual(await troubled({ kind: "hang", until }, short), silent);
  Atomics.store(new Int32Array(until), 0, 1);
  Atomics.notify(new Int32Array(until), 0);
});
