// Many runs at once, with few files that each may open.

import assert from "node:assert/strict";
import { loadSweep } from "../tasks/load_sweep.ts";

Deno.test("loadSweep() completes runs at once with 64 open files allowed", async () => {
  const outcomes = await loadSweep(3, 64);
  assert.deepEqual(outcomes.toJSON(), { "complete, verified": 3 });
});
