import assert from "node:assert/strict";
import type { Gate } from "../agent/gate.ts";
import { recordedSource } from "./recorded_source.ts";

Deno.test("recordedSource() offers by number, and is cancelled where nothing was", async () => {
  const attempt = { proposal_text: "{}", elapsed_ms: 3 };
  const source = recordedSource([{ proposalNumber: 2, attempt }]);
  const offered = (proposalNumber: number) =>
    source.propose({ proposalNumber, messages: [] }, {} as Gate);
  assert.deepEqual(await offered(2), attempt);
  assert.deepEqual(await offered(2), attempt);
  assert.deepEqual(await offered(1), {
    failed: "cancelled",
    detail: "The recorded run has no such proposal",
    elapsed_ms: 0,
  });
});
