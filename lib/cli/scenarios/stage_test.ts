import assert from "node:assert/strict";
import type { Act, InjectedAct } from "./format.ts";
import { Stage } from "./stage.ts";

const later = (ms: number): Act => ({ act: "advance_clock", ms });

Deno.test("Stage does each act once, at its point of its proposal, in order", () => {
  const injected: InjectedAct[] = [
    { proposal: 2, point: "before_dispatch", does: later(1) },
    { proposal: 2, point: "before_dispatch", does: later(2) },
    { proposal: 1, point: "before_rename", does: later(3) },
    { point: "after_loop", does: later(4) },
  ];
  const done: Act[] = [];
  const stage = new Stage(injected, (act) => done.push(act));

  stage.reach("before_dispatch");
  assert.deepEqual([done, stage.performed], [[], 0]);
  stage.proposal = 2;
  stage.reach("before_dispatch");
  stage.reach("before_dispatch");
  assert.deepEqual([done, stage.performed], [[later(1), later(2)], 2]);
  stage.reach("after_loop");
  assert.deepEqual(done, [later(1), later(2), later(4)]);
  assert.deepEqual(stage.pending, [injected[2]]);
});
