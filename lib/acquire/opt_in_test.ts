import assert from "node:assert/strict";
import { diskFiles } from "../system/files.ts";
import { machineResources } from "../system/resources.ts";
import { pinnedPlan } from "./checkpoint_plan.ts";
import { LAB_LIMITS } from "./limits.ts";
import { isYes, optIn, optInText } from "./opt_in.ts";
import type { PreparedAcquisition } from "./prepare.ts";

const PREPARED: PreparedAcquisition = {
  request: {
    directory: "qwen",
    from: null,
    plan: pinnedPlan(),
    limits: LAB_LIMITS,
    files: diskFiles,
    resources: machineResources,
  },
  destination: {
    kind: "fresh",
    planned: { typed: "qwen", path: "/a/qwen", parent: "/a" },
  },
  source: null,
  verified: false,
  presentBytes: 0,
  freeDiskBytes: 5_000_000_000,
  availableMemoryBytes: 6_000_000_000,
};

Deno.test("optInText() asks the lab's question under what it needs", () => {
  const lines = optInText(PREPARED).split("\n");
  assert.equal(
    lines.at(-1),
    "Download the eight listed model files, totaling 999,597,691 bytes, from " +
      "Qwen’s public Hugging Face repository into this new model directory?",
  );
  assert.deepEqual(lines.slice(0, 6).map((line) => line.slice(17)), [
    "qwen",
    "5,000,000,000 bytes; 3,000,000,000 are asked for",
    "6,000,000,000 bytes available; a trial is estimated to take 3,000,000,000",
    "1,200,000,000 bytes over all attempts",
    "20 minutes for this, of the 30 that acquisition and trial share",
    "one retry, and none after a mismatch; 60 s without a byte end an attempt",
  ]);
});

Deno.test("optInText() says what a copy and a continued folder are", () => {
  const copy = optInText({
    ...PREPARED,
    source: { folder: "/a/files", shownAs: "files" },
  });
  assert.doesNotMatch(copy, /retry/);
  assert.match(copy, /0 bytes: nothing is downloaded/);
  assert.match(copy, /^Copy the eight .* from "files" into this new /m);
  const continued = optInText({
    ...PREPARED,
    destination: { kind: "existing", path: "/a/qwen" },
    presentBytes: 1_234,
  });
  assert.match(
    continued,
    /this model folder, which holds 1,234 of these bytes\?$/,
  );
});

Deno.test("isYes() takes yes and nothing else", () => {
  for (const typed of ["yes", "YES", " Yes \r"]) assert.ok(isYes(typed), typed);
  for (const typed of [null, "", "y", "no", "yes please", "\u0443es"]) {
    assert.ok(!isYes(typed), String(typed));
  }
  assert.deepEqual(optIn("shown", "yes", 7), {
    shown: "shown",
    answer: "yes",
    given_wall_ms: 7,
  });
});
