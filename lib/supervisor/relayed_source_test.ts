import assert from "node:assert/strict";
import { HandClock } from "../../tests/hand_clock.ts";
import type { MonotonicMs } from "../agent/gate.ts";
import { DeadlineGate } from "./deadline_gate.ts";
import type { FromController, SourceAbilities } from "./messages.ts";
import { RelayedSource } from "./relayed_source.ts";
import { StopWordCell } from "./stop_word_cell.ts";

const messages = [{ role: "user", content: "?" }] as const;
const gate = new DeadlineGate(new StopWordCell(), new HandClock(), {
  runDeadline: 1_000 as MonotonicMs,
  callMs: 100,
});

/** A relayed source, and what it posted. */
function relayed(abilities: Partial<SourceAbilities> = {}) {
  const posted: FromController[] = [];
  const source = new RelayedSource((message) => posted.push(message), {
    load: false,
    countTokens: false,
    ...abilities,
  });
  return { source, posted };
}

Deno.test("RelayedSource.propose() asks with the deadline, and takes the answer", async () => {
  const { source, posted } = relayed();
  gate.beginCall();
  const attempt = source.propose({ proposalNumber: 2, messages }, gate);
  gate.endCall();
  assert.deepEqual(posted, [
    { type: "propose", proposalNumber: 2, messages, deadlineMs: 100 },
  ]);
  const answer = { proposal_text: "{}", elapsed_ms: 1 };
  source.answer({ type: "answer", answer });
  assert.equal(await attempt, answer);
});

Deno.test("RelayedSource can do what its original can", async () => {
  const plain = relayed().source;
  assert.deepEqual([plain.load, plain.countTokens], [undefined, undefined]);

  const { source, posted } = relayed({ load: true, countTokens: true });
  const loaded = source.load?.(gate);
  source.answer({ type: "answer", answer: { elapsed_ms: 2 } });
  assert.deepEqual(await loaded, { elapsed_ms: 2 });
  const counted = source.countTokens?.(messages);
  source.answer({ type: "answer", answer: { tokens: 3 } });
  assert.deepEqual(await counted, { tokens: 3 });
  assert.deepEqual(posted, [
    { type: "load" },
    { type: "count_tokens", messages },
  ]);
});

Deno.test("RelayedSource.answer() drops what nobody waits for", async () => {
  const { source } = relayed();
  const late = { proposal_text: "late", elapsed_ms: 9 };
  source.answer({ type: "answer", answer: late });
  const attempt = source.propose({ proposalNumber: 1, messages }, gate);
  const first = { proposal_text: "first", elapsed_ms: 1 };
  source.answer({ type: "answer", answer: first });
  source.answer({ type: "answer", answer: late });
  assert.equal(await attempt, first);
});
