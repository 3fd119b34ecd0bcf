import assert from "node:assert/strict";
import type { Attempt } from "../agent/source.ts";
import { scriptedSource } from "./scripted_source.ts";

Deno.test("scriptedSource() offers each proposal once, then is cancelled", async () => {
  const source = scriptedSource(["one", ""]);
  const next = (): Promise<Attempt> =>
    source.propose({ proposalNumber: 1, messages: [] }, undefined as never);
  const end = {
    failed: "cancelled",
    detail: "The script has no further proposal",
    elapsed_ms: 0,
  };
  assert.deepEqual([await next(), await next(), await next(), await next()], [
    { proposal_text: "one", elapsed_ms: 0 },
    { proposal_text: "", elapsed_ms: 0 },
    end,
    end,
  ]);
});

Deno.test("scriptedSource() has nothing to load or count, and starts anew each time", async () => {
  const script = ["one"];
  const propose = () =>
    scriptedSource(script).propose(
      { proposalNumber: 1, messages: [] },
      undefined as never,
    );
  assert.deepEqual(Object.keys(scriptedSource(script)), ["propose"]);
  assert.deepEqual(await propose(), await propose());
});
