import assert from "node:assert/strict";
import { acquisitionFacts } from "./acquisition_facts.ts";
import { checkpointPlan } from "./checkpoint_plan.ts";
import { newLedgerContent } from "./ledger_content.ts";
import { contentSeal, type LedgerContent } from "./ledger_format.ts";
import { LAB_LIMITS } from "./limits.ts";

const made = checkpointPlan({
  label: "it",
  repository: "owner/name",
  revision: "0".repeat(40),
  files: [{ name: "small", bytes: 6, sha256: "0".repeat(64) }],
}, { pinned: true, shownAs: "it" });
assert.ok(made.ok);
const fresh = newLedgerContent(
  made.plan,
  LAB_LIMITS,
  { uptimeSeconds: 1_000, wallMs: 1 },
  { shown: "?", answer: "yes", given_wall_ms: 1 },
);
const reserved: LedgerContent = {
  ...fresh,
  verified_uptime_s: 1_090,
  bytes: { ...fresh.bytes, settled: 7 },
  core_trial: {
    run_id: "run-1",
    reserved_uptime_s: 1_100,
    reserved_wall_ms: 1,
    within_window: true,
  },
};

Deno.test("acquisitionFacts() tells how long the acquisition took", () => {
  assert.deepEqual(acquisitionFacts(reserved), {
    ledger_sha256: contentSeal(reserved),
    elapsed_s: 90,
    payload_bytes: 7,
    within_window: true,
  });
});

Deno.test("acquisitionFacts() knows no time across a restart", () => {
  const { elapsed_s } = acquisitionFacts({
    ...reserved,
    verified_uptime_s: 999,
  });
  assert.equal(elapsed_s, null);
});

Deno.test("acquisitionFacts() wants a verified folder whose trial is reserved", () => {
  for (const missing of ["verified_uptime_s", "core_trial"]) {
    assert.throws(
      () => acquisitionFacts({ ...reserved, [missing]: null }),
      TypeError,
    );
  }
});
