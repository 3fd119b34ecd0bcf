import assert from "node:assert/strict";
import type { MonotonicMs } from "../../agent/gate.ts";
import { DeadlineGate } from "../../supervisor/deadline_gate.ts";
import { StopWordCell } from "../../supervisor/stop_word_cell.ts";
import { HandTurnedClock } from "./clock.ts";
import type { Act, Point, RunScenario } from "./format.ts";
import { scenarioSource } from "./source.ts";
import { Stage } from "./stage.ts";

type Script = Pick<RunScenario, "attempts" | "token_counts">;

/** A source, with a clock of its own that acts at a point turn. */
function sourceOf(script: Script, act?: { point: Point; ms: number }) {
  const clock = new HandTurnedClock();
  const injected = act === undefined ? [] : [
    {
      proposal: 1,
      point: act.point,
      does: { act: "advance_clock", ms: act.ms } as Act,
    } as RunScenario["injected"][number],
  ];
  const stage = new Stage(injected, () => clock.advance(act?.ms ?? 0));
  const gate = new DeadlineGate(new StopWordCell(), clock, {
    runDeadline: 1_000 as MonotonicMs,
    callMs: 100,
  });
  const source = scenarioSource(script as RunScenario, stage);
  const propose = (proposalNumber: number) => {
    gate.beginCall();
    return source.propose({ proposalNumber, messages: [] }, gate);
  };
  return { source, propose };
}

Deno.test("scenarioSource() brings its attempts in order, and is cancelled then", async () => {
  const { propose } = sourceOf({
    attempts: [
      "text",
      { base64: "/w==" },
      { text: "x", spaces_to_bytes: 3 },
      { failed: "model_error", detail: "why" },
    ],
  });
  assert.deepEqual(
    [await propose(1), await propose(2), await propose(3), await propose(4)],
    [
      { proposal_text: "text", elapsed_ms: 0 },
      { proposal_base64: "/w==", elapsed_ms: 0 },
      { proposal_text: "x  ", elapsed_ms: 0 },
      { failed: "model_error", detail: "why", elapsed_ms: 0 },
    ],
  );
  assert.deepEqual(await propose(5), {
    failed: "cancelled",
    detail: "The scenario has no further attempt",
    elapsed_ms: 0,
  });
});

Deno.test("scenarioSource() is overtaken by a deadline during generation, and late after one", async () => {
  const attempts = ["text"];
  const brought = { proposal_text: "text", elapsed_ms: 0 };
  const during = "during_generation";
  const expired = (detail: string) => ({
    failed: "time_limit",
    detail,
    elapsed_ms: 0,
  });
  for (
    const [point, ms, expected] of [
      [during, 99, brought],
      [during, 100, expired("call_expired")],
      [during, 1_000, expired("run_expired")],
      ["late_proposal", 1_000, brought],
    ] as const
  ) {
    const { propose } = sourceOf({ attempts }, { point, ms });
    assert.deepEqual(await propose(1), expected, `${point} ${ms}`);
  }
});

Deno.test("scenarioSource() counts what the scenario says, the last count for ever", async () => {
  const failure = { failed: "model_error", detail: "why" } as const;
  const { source } = sourceOf({ attempts: [], token_counts: [7, failure, 9] });
  const counted = [];
  for (let asked = 0; asked < 4; asked++) {
    counted.push(await source.countTokens?.([]));
  }
  assert.deepEqual(counted, [
    { tokens: 7 },
    { ...failure, elapsed_ms: 0 },
    { tokens: 9 },
    { tokens: 9 },
  ]);
  assert.equal(sourceOf({ attempts: [] }).source.countTokens, undefined);
});
