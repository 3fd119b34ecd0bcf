import assert from "node:assert/strict";
import {
  freshFolder,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { HandClock } from "../../tests/hand_clock.ts";
import { keepRecords } from "../../tests/kept_records.ts";
import { LampTask } from "../../tests/lamp_task.ts";
import { AuditFault } from "../evidence/audit_writer.ts";
import { scriptedSource } from "../source/scripted_source.ts";
import { DeadlineGate } from "../supervisor/deadline_gate.ts";
import { StopWordCell } from "../supervisor/stop_word_cell.ts";
import type { Files } from "../system/files.ts";
import type { LoopDerived, LoopFacts } from "./events.ts";
import type { MonotonicMs, StopWord } from "./gate.ts";
import type { JsonObject } from "./json.ts";
import { noProgress, runLoop } from "./loop.ts";
import type { Recorder } from "./recorder.ts";
import type { Attempt, Source } from "./source.ts";

/** A lamp's loop over a real audit in a fresh folder. */
function lampLoop(files: Files = unflushedFiles) {
  const fresh = freshFolder();
  const clock = new HandClock();
  const cell = new StopWordCell();
  const gate = new DeadlineGate(cell, clock, {
    runDeadline: 600_000 as MonotonicMs,
    callMs: 120_000,
  });
  const kept = keepRecords(files, fresh.path, clock);
  const recorder = kept.recorder as unknown as Recorder<LoopFacts, LoopDerived>;
  const task = new LampTask();
  const progress = noProgress<"unplugged" | "too_long">();
  return {
    task,
    cell,
    clock,
    gate,
    kept,
    progress,
    run: (source: Source) =>
      runLoop({ task, source, gate, recorder }, progress),
    [Symbol.dispose]: () => {
      kept[Symbol.dispose]();
      fresh[Symbol.dispose]();
    },
  };
}

const messages = [{ role: "user", content: "Turn the lamp." }] as const;

/** A source that answers with what `answer` makes of the attempt's number. */
function answering(answer: (number: number) => Omit<Attempt, "elapsed_ms">) {
  return {
    propose: ({ proposalNumber }) =>
      Promise.resolve({ ...answer(proposalNumber), elapsed_ms: 0 }),
  } satisfies Source;
}

Deno.test("noProgress() is nothing done and nothing ended", () => {
  assert.deepEqual(noProgress(), {
    proposals: 0,
    invalidProposals: 0,
    stop: null,
    detail: null,
  });
});

Deno.test("runLoop() records each step of each proposal, and the stop", async () => {
  using lamp = lampLoop();
  assert.equal(
    await lamp.run(scriptedSource(["on", "dim", "unplug"])),
    "unplugged",
  );
  assert.deepEqual(lamp.progress, {
    proposals: 3,
    invalidProposals: 1,
    stop: "unplugged",
    detail: "no power",
  });
  assert.deepEqual(lamp.kept.said(), [
    ["request_assembled", { messages }],
    ["proposal_received generation", { proposal_text: "on", elapsed_ms: 0 }],
    ["proposal_admitted", { action: { turn: "on" } }],
    ["observation_made", {
      observation: { ok: true, turn: "on" },
      counts: "valid",
    }],
    ["request_assembled", { messages }],
    ["proposal_received generation", { proposal_text: "dim", elapsed_ms: 0 }],
    ["observation_made", { observation: { ok: false }, counts: "invalid" }],
    ["request_assembled", { messages }],
    ["proposal_received generation", {
      proposal_text: "unplug",
      elapsed_ms: 0,
    }],
    ["proposal_admitted", { action: { turn: "unplug" } }],
    ["observation_made", {
      observation: { ok: true, turn: "unplug" },
      counts: "valid",
    }],
    ["loop_stopped", {
      stop_reason: "unplugged",
      detail: "no power",
      proposals: 3,
      invalid_proposals: 1,
    }],
  ]);
  assert.deepEqual(
    lamp.kept.records.map(({ proposal_number }) => proposal_number),
    [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, null],
  );
  assert.deepEqual(lamp.task.remembered, [
    [{ ok: true, turn: "on" }, 4],
    [{ ok: false }, 7],
    [{ ok: true, turn: "unplug" }, 11],
  ]);
});

/** How a loop over these words ends, and how many of them it asked for. */
async function ending(words: readonly string[]) {
  using lamp = lampLoop();
  const stop = await lamp.run(scriptedSource(words));
  const { proposals, invalidProposals } = lamp.progress;
  return [stop, proposals, invalidProposals];
}

Deno.test("runLoop() asks for six proposals and no seventh", async () => {
  const five = ["on", "off", "on", "off", "on"];
  assert.deepEqual(await ending([...five, "unplug"]), ["unplugged", 6, 0]);
  assert.deepEqual(
    await ending([...five, "off", "unplug"]),
    ["proposal_limit", 6, 0],
  );
});

Deno.test("runLoop() stops at the second consecutive invalid proposal", async () => {
  const cases: [string[], unknown[]][] = [
    [["?", "?", "on"], ["invalid_proposal_limit", 2, 2]],
    [["?", "on", "?", "?", "on"], ["invalid_proposal_limit", 4, 3]],
    [["?", "on", "?", "off", "?", "on"], ["proposal_limit", 6, 3]],
    // Neutral outcomes neither count nor reset: the lamp is off already.
    [["?", "off", "off", "?", "on"], ["invalid_proposal_limit", 4, 2]],
  ];
  for (const [words, expected] of cases) {
    assert.deepEqual(await ending(words), expected, words.join());
  }
});

Deno.test("runLoop() calls a sixth proposal that is the second invalid one by that", async () => {
  assert.deepEqual(
    await ending(["on", "off", "on", "off", "?", "?"]),
    ["invalid_proposal_limit", 6, 2],
  );
  assert.deepEqual(
    await ending(["on", "off", "on", "?", "off", "?"]),
    ["proposal_limit", 6, 2],
  );
});

Deno.test("runLoop() ends with what an attempt failed by, and counts it", async () => {
  for (const failed of ["cancelled", "time_limit", "model_error"] as const) {
    using lamp = lampLoop();
    const source = answering((number) =>
      number === 1 ? { proposal_text: "on" } : { failed, detail: "so it is" }
    );
    assert.equal(await lamp.run(source), failed);
    assert.deepEqual(lamp.progress, {
      proposals: 2,
      invalidProposals: 0,
      stop: failed,
      detail: "so it is",
    });
    assert.deepEqual(lamp.kept.said().slice(-2), [
      ["proposal_received generation", {
        failed,
        detail: "so it is",
        elapsed_ms: 0,
      }],
      ["loop_stopped", {
        stop_reason: failed,
        detail: "so it is",
        proposals: 2,
        invalid_proposals: 0,
      }],
    ]);
  }
});

Deno.test("runLoop() keeps an exception's kind and code, not its message", async () => {
  const noPermission = Object.assign(new Error("/secret"), { code: "EACCES" });
  const cases: [Source, string, string, number][] = [
    [{ propose: () => Promise.reject(noPermission) }, "EACCES", "Error", 1],
    [{ propose: () => Promise.reject("text") }, "unknown", "", 1],
    [answering(() => ({})), "TypeError", "TypeError", 1],
    [scriptedSource(["on", "smash"]), "RangeError", "RangeError", 2],
  ];
  for (const [source, error, message, proposals] of cases) {
    using lamp = lampLoop();
    assert.equal(await lamp.run(source), "harness_error");
    assert.deepEqual(lamp.kept.said().slice(-2), [
      ["harness_fault loop", { error, message }],
      ["loop_stopped", {
        stop_reason: "harness_error",
        detail: error,
        proposals,
        invalid_proposals: 0,
      }],
    ]);
  }
});

const STOPS: [StopWord, string, string | null][] = [
  ["cancelled", "cancelled", null],
  ["call_expired", "time_limit", "call_expired"],
  ["run_expired", "time_limit", "run_expired"],
];

Deno.test("runLoop() heeds a stop word before a request", async () => {
  for (const [word, stop_reason, detail] of STOPS) {
    using lamp = lampLoop();
    lamp.cell.set(word);
    await lamp.run(scriptedSource(["on"]));
    assert.deepEqual(lamp.kept.said(), [
      ["stop_requested before_request", { stop: word }],
      ["loop_stopped", {
        stop_reason,
        detail,
        proposals: 0,
        invalid_proposals: 0,
      }],
    ]);
  }
});

Deno.test("runLoop() discards a proposal that a stop word overtook", async () => {
  for (const [word, stop_reason, detail] of STOPS) {
    using lamp = lampLoop();
    await lamp.run(answering(() => {
      lamp.cell.set(word);
      return { proposal_text: "on" };
    }));
    assert.deepEqual(lamp.kept.said(), [
      ["request_assembled", { messages }],
      ["proposal_received generation", { proposal_text: "on", elapsed_ms: 0 }],
      ["stop_requested after_generation", { stop: word }],
      ["proposal_discarded", { stop_reason }],
      ["loop_stopped", {
        stop_reason,
        detail,
        proposals: 1,
        invalid_proposals: 0,
      }],
    ]);
    assert.deepEqual(lamp.task.turned, []);
  }
});

Deno.test("runLoop() heeds a stop word immediately before dispatch", async () => {
  for (const [word, stop_reason, detail] of STOPS) {
    using lamp = lampLoop();
    const { task } = lamp;
    const admit = task.admit.bind(task);
    task.admit = (proposal) => {
      lamp.cell.set(word);
      return admit(proposal);
    };
    await lamp.run(scriptedSource(["on"]));
    assert.deepEqual(lamp.kept.said().slice(2), [
      ["proposal_admitted", { action: { turn: "on" } }],
      ["stop_requested before_dispatch", { stop: word }],
      ["loop_stopped", {
        stop_reason,
        detail,
        proposals: 1,
        invalid_proposals: 0,
      }],
    ]);
    assert.deepEqual(task.turned, []);
  }
});

Deno.test("runLoop() holds a call's deadline during the call only", async () => {
  /** A loop whose second call, or first action, takes so long. */
  const taking = async (callMs: number, actionMs: number) => {
    using lamp = lampLoop();
    const { task, clock } = lamp;
    const perform = task.perform.bind(task);
    task.perform = (action) => {
      clock.ms += actionMs;
      return perform(action);
    };
    const words = ["on", "unplug"];
    await lamp.run(answering((number) => {
      if (number === 2) clock.ms += callMs;
      return { proposal_text: words[number - 1] ?? "" };
    }));
    return [lamp.progress.stop, lamp.progress.detail];
  };
  assert.deepEqual(await taking(119_999, 0), ["unplugged", "no power"]);
  assert.deepEqual(await taking(120_000, 0), ["time_limit", "call_expired"]);
  assert.deepEqual(await taking(0, 299_999), ["unplugged", "no power"]);
  assert.deepEqual(await taking(0, 600_000), ["time_limit", "run_expired"]);
});

Deno.test("runLoop() makes the source ready once, before the first request", async () => {
  using lamp = lampLoop();
  await lamp.run({
    load: () => Promise.resolve({ elapsed_ms: 7, source_facts: { a: 1 } }),
    ...answering(() => ({ proposal_text: "unplug" })),
  });
  assert.deepEqual(lamp.kept.said()[0], ["model_loaded start", {
    elapsed_ms: 7,
    source_facts: { a: 1 },
  }]);
  assert.equal(lamp.progress.stop, "unplugged");
});

Deno.test("runLoop() ends where the source does not become ready", async () => {
  using lamp = lampLoop();
  const failure = {
    failed: "model_error",
    detail: "a digest differs",
    elapsed_ms: 3,
  } as const;
  await lamp.run({
    load: () => Promise.resolve(failure),
    ...answering(() => assert.fail("It must not be asked")),
  });
  assert.deepEqual(lamp.kept.said(), [
    ["model_loaded start", failure],
    ["loop_stopped", {
      stop_reason: "model_error",
      detail: "a digest differs",
      proposals: 0,
      invalid_proposals: 0,
    }],
  ]);
});

Deno.test("runLoop() records token counts, and ends where a task or a count stops it", async () => {
  const counts: [JsonObject & { tokens: number }, string, string | null][] = [
    [{ tokens: 10 }, "unplugged", "no power"],
    [{ tokens: 11 }, "too_long", "11 tokens"],
  ];
  for (const [count, stop, detail] of counts) {
    using lamp = lampLoop();
    lamp.task.maxTokens = 10;
    await lamp.run({
      countTokens: () => Promise.resolve(count),
      ...answering(() => ({ proposal_text: "unplug" })),
    });
    assert.deepEqual(lamp.kept.said()[0], ["tokens_counted assembly", count]);
    assert.deepEqual([lamp.progress.stop, lamp.progress.detail], [
      stop,
      detail,
    ]);
  }
  using lamp = lampLoop();
  const uncounted = {
    failed: "model_error",
    detail: "The source threw",
    elapsed_ms: 1,
  } as const;
  await lamp.run({
    countTokens: () => Promise.resolve(uncounted),
    ...answering(() => assert.fail("It must not be asked")),
  });
  assert.deepEqual(lamp.kept.said(), [
    ["tokens_counted assembly", uncounted],
    ["loop_stopped", {
      stop_reason: "model_error",
      detail: "The source threw",
      proposals: 0,
      invalid_proposals: 0,
    }],
  ]);
});

Deno.test("runLoop() throws what the recorder throws, and says no other word", async () => {
  let writes = 0;
  const fullAfterTwo: Files = {
    ...unflushedFiles,
    create: (path) => {
      const file = unflushedFiles.create(path);
      return {
        ...file,
        write: (bytes) => ++writes > 2 ? 0 : file.write(bytes),
      };
    },
  };
  using lamp = lampLoop(fullAfterTwo);
  await assert.rejects(lamp.run(scriptedSource(["on"])), AuditFault);
  assert.deepEqual(lamp.kept.records.map(({ event }) => event), [
    "request_assembled",
    "proposal_received",
  ]);
  assert.equal(lamp.progress.stop, null);
});
