import assert from "node:assert/strict";
import { diskFiles } from "../system/files.ts";
import {
  type BootFacts,
  machineResources,
  type Resources,
} from "../system/resources.ts";
import { type CheckpointPlan, checkpointPlan } from "./checkpoint_plan.ts";
import { type CoreTrialRequest, reserveCoreTrial } from "./core_trial.ts";
import { newLedgerContent, withFile, withVerified } from "./ledger_content.ts";
import { Ledger } from "./ledger.ts";
import { LAB_LIMITS } from "./limits.ts";

const SHA = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
const START: BootFacts = { uptimeSeconds: 1_000, wallMs: Date.now() };

function at(seconds: number, clockMovedMs = 0): Resources {
  return {
    ...machineResources,
    bootFacts: () => ({
      uptimeSeconds: START.uptimeSeconds + seconds,
      wallMs: START.wallMs + seconds * 1_000 + clockMovedMs,
    }),
  };
}

function planOf(pinned: boolean): CheckpointPlan {
  const made = checkpointPlan({
    label: "it",
    repository: "owner/name",
    revision: "0".repeat(40),
    files: [{ name: "small", bytes: 6, sha256: SHA }],
  }, { pinned, shownAs: "it" });
  assert.ok(made.ok);
  return made.plan;
}

/** A model folder whose one file is verified. */
async function inFolder(
  work: (request: CoreTrialRequest) => void,
  options: { readonly pinned?: boolean; readonly verified?: boolean } = {},
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const plan = planOf(options.pinned ?? true);
  const base = { files: diskFiles, folder, shownAs: "m", limits: LAB_LIMITS };
  try {
    const optIn = { shown: "?", answer: "yes", given_wall_ms: 1 } as const;
    const fresh = newLedgerContent(plan, LAB_LIMITS, START, optIn);
    const observed = { bytes: 6, sha256: SHA, gitBlobSha1: null };
    const ledger = Ledger.create(
      { ...base, plan },
      () => START.uptimeSeconds,
      options.verified === false
        ? withFile(fresh, "small", () => ({ status: "partial" }))
        : withVerified(fresh, "small", observed, "copy"),
    );
    ledger.close();
    if (options.verified !== false) {
      Deno.writeTextFileSync(`${folder}/small`, "hello\n");
    }
    work({ ...base, plan, runId: "run-1", resources: at(0) });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("reserveCoreTrial() gives ten minutes, once", async () => {
  await inFolder((request) => {
    const first = reserveCoreTrial({ ...request, resources: at(60) });
    assert.ok(first.ok);
    assert.equal(first.reservation.runMs, 600_000);
    assert.deepEqual(first.reservation.ledger.core_trial, {
      run_id: "run-1",
      reserved_uptime_s: 1_060,
      reserved_wall_ms: START.wallMs + 60_000,
      within_window: true,
    });
    const second = reserveCoreTrial({ ...request, resources: at(61) });
    assert.ok(!second.ok);
    assert.equal(second.refusal.code, "core_trial_used");
    assert.match(second.refusal.why, /used by run run-1/);
  });
});

Deno.test("reserveCoreTrial() gives what is left of the window if less", async () => {
  for (const [seconds, runMs] of [[1_199, 600_000], [1_200, 599_000]]) {
    await inFolder((request) => {
      const made = reserveCoreTrial({ ...request, resources: at(seconds!) });
      assert.ok(made.ok);
      assert.equal(made.reservation.runMs, runMs);
    });
  }
});

Deno.test("reserveCoreTrial() gives ten minutes of its own after the window", async () => {
  for (const resources of [at(1_799), at(100_000), at(60, 3_600_000)]) {
    await inFolder((request) => {
      const made = reserveCoreTrial({ ...request, resources });
      assert.ok(made.ok);
      assert.equal(made.reservation.runMs, 600_000);
      assert.equal(made.reservation.ledger.core_trial?.within_window, false);
      assert.notEqual(made.reservation.ledger.window.ended, null);
    });
  }
});

Deno.test("reserveCoreTrial() works after a restart of the machine", async () => {
  await inFolder((request) => {
    const made = reserveCoreTrial({
      ...request,
      resources: at(-900, 1_000_000),
    });
    assert.ok(made.ok);
    assert.equal(made.reservation.ledger.core_trial?.within_window, false);
    // The ledger stays one that this program reads.
    const again = reserveCoreTrial({ ...request, resources: at(-800) });
    assert.ok(!again.ok);
    assert.equal(again.refusal.code, "core_trial_used");
  });
});

Deno.test("reserveCoreTrial() refuses an incomplete folder and an extension", async () => {
  await inFolder((request) => {
    const made = reserveCoreTrial(request);
    assert.ok(!made.ok);
    assert.equal(made.refusal.code, "not_verified");
  }, { verified: false });
  await inFolder((request) => {
    const made = reserveCoreTrial(request);
    assert.ok(!made.ok);
    assert.match(made.refusal.why, /declared extension/);
  }, { pinned: false });
});

Deno.test("reserveCoreTrial() refuses a folder without a ledger", async () => {
  await inFolder((request) => {
    Deno.removeSync(`${request.folder}/acquisition.json`);
    const made = reserveCoreTrial(request);
    assert.ok(!made.ok);
    assert.equal(made.refusal.code, "no_ledger");
    assert.match(made.refusal.next, /--from/);
  });
});

Deno.test("reserveCoreTrial() takes no trial where a verified file isn't as it was", async () => {
  for (
    const [spoil, why] of [
      [Deno.removeSync, '"small" is gone since it was verified'],
      [
        (path: string) => Deno.truncateSync(path, 5),
        '"small" was changed since it was verified',
      ],
      [
        (path: string) => Deno.linkSync(path, `${path}.part`),
        '"small" was changed since it was verified',
      ],
      [
        (path: string) => {
          Deno.renameSync(path, `${path}.part`);
          Deno.symlinkSync("small.part", path);
        },
        '"small" was changed since it was verified',
      ],
    ] as const
  ) {
    await inFolder((request) => {
      spoil(`${request.folder}/small`);
      assert.deepEqual(reserveCoreTrial(request), {
        ok: false,
        refusal: {
          code: "not_verified",
          what: 'Cannot begin the core trial on "m"',
          why,
          next: "Take away what has its name, and bring the file back: " +
            "tinycoder acquire --directory m --from DIR",
        },
      });
      const ledger = Deno.readTextFileSync(
        `${request.folder}/acquisition.json`,
      );
      assert.equal(JSON.parse(ledger).core_trial, null);
    });
  }
});
