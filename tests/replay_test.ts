// Replays in process: what an earlier run was told is told again, and a
// controller that was changed on purpose is found out at its first difference.

import assert from "node:assert/strict";
import type { JsonObject } from "../lib/agent/json.ts";
import type { AuditRecord } from "../lib/evidence/audit_record.ts";
import { compareRuns } from "../lib/evidence/replay.ts";
import { openGate } from "./baseline_in_process.ts";
import { verifyMutant } from "./mutation_sweep.ts";
import { recordsOf, replayed } from "./replayed_run.ts";
import { sweptRuns } from "./swept_runs.ts";

const runs = await sweptRuns();

for (const { name, files } of runs) {
  Deno.test(`replay of the run "${name}" equals its original, and verifies`, async () => {
    const { comparison, files: fresh } = await replayed(files);
    assert.deepEqual(comparison, {
      agreed: recordsOf(files).records.length,
      recordedToEnd: name !== "recovered",
      divergence: null,
    });
    const { discrepancy } = await verifyMutant(fresh);
    assert.equal(discrepancy, null);
    // The original's edits were really made again.
    for (const [file, bytes] of files) {
      if (!file.startsWith("backups/") || name === "recovered") continue;
      assert.deepEqual(fresh.get(file), bytes, file);
    }
  });
}

Deno.test("replay names the first event that a changed controller does otherwise", async () => {
  const { comparison } = await replayed(runs[0]!.files, {
    prepare: (task) => {
      const perform = task.perform.bind(task);
      task.perform = (action) => {
        const outcome = perform(action);
        return action.action !== "test" ? outcome : {
          ...outcome,
          observation: { ...outcome.observation, passed: 3 },
        };
      };
    },
  });
  assert.deepEqual(comparison.divergence, {
    kind: "observation",
    event: 8,
    proposalNumber: 2,
    field: "content.observation.passed",
    recorded: "0",
    fresh: "3",
  });
});

Deno.test("replay tells an action from a denial", async () => {
  const { comparison } = await replayed(runs[0]!.files, {
    prepare: (task) => {
      task.admit = () => ({
        refused: {
          observation: { ok: false, error: "unknown_action" },
          counts: "invalid",
        },
      });
    },
  });
  assert.deepEqual(comparison.divergence, {
    kind: "action",
    event: 3,
    proposalNumber: 1,
    field: "event",
    recorded: '"proposal_admitted"',
    fresh: '"observation_made"',
  });
});

Deno.test("replay goes on with the recorded proposals after a divergence", async () => {
  const { comparison, files } = await replayed(runs[0]!.files, {
    prepare: (task) => {
      const admit = task.admit.bind(task);
      let asked = 0;
      task.admit = (bytes) =>
        ++asked === 2
          ? {
            refused: {
              observation: { ok: false, error: "unknown_action" },
              counts: "invalid",
            },
          }
          : admit(bytes);
    },
  });
  assert.equal(comparison.divergence?.event, 7);
  const final = JSON.parse(new TextDecoder().decode(files.get("final.json")));
  assert.equal(final.stop_reason, "finish_accepted");
  assert.equal(final.invalid_proposals, 1);
});

Deno.test("a real stop in a replay is a divergence, and is obeyed", async () => {
  let asked = 0;
  // Once the record has no stop word, the gate is asked as in any run.
  const { comparison, files } = await replayed(runs[0]!.files, {
    gate: { ...openGate, stop: () => ++asked > 6 ? "cancelled" : null },
  });
  assert.equal(comparison.divergence?.kind, "extra");
  assert.equal(comparison.divergence?.fresh, '"stop_requested"');
  const final = JSON.parse(new TextDecoder().decode(files.get("final.json")));
  assert.equal(final.stop_reason, "cancelled");
});

const record = (event: string, content: JsonObject): AuditRecord => ({
  run_id: "",
  event_id: 1,
  event,
  kind: "derived",
  at: null,
  proposal_number: null,
  monotonic_ms: 0,
  wall_time: "",
  source: "",
  prev: "" as AuditRecord["prev"],
  content,
});

Deno.test("compareRuns() finds a missing and an extra event", () => {
  const one = record("loop_stopped", {});
  const end = record("run_ended", { stop_reason: "cancelled", run_id: "a" });
  assert.deepEqual(compareRuns([one, end], [one]).divergence, {
    kind: "missing",
    event: 2,
    proposalNumber: null,
    field: "event",
    recorded: '"run_ended"',
    fresh: "nothing",
  });
  assert.deepEqual(compareRuns([one, end], [one, end, one]).divergence, {
    kind: "extra",
    event: 3,
    proposalNumber: null,
    field: "event",
    recorded: "nothing",
    fresh: '"loop_stopped"',
  });
});

Deno.test("compareRuns() leaves a run's own name and times out", () => {
  const end = (run_id: string, total: number, stop_reason: string) =>
    record("run_ended", { run_id, elapsed_ms: { total }, stop_reason });
  const a = end("a", 1, "cancelled");
  assert.equal(compareRuns([a], [end("b", 2, "cancelled")]).divergence, null);
  assert.equal(
    compareRuns([a], [end("b", 2, "time_limit")]).divergence?.field,
    "content.stop_reason",
  );
});
