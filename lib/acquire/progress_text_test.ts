import assert from "node:assert/strict";
import { progressText, TransferRate } from "./progress_text.ts";

const PROGRESS = {
  file: "model.safetensors",
  fileBytes: 400_000_000,
  fileTotalBytes: 988_097_824,
  bytes: 411_000_000,
  totalBytes: 999_597_691,
  verified: false,
};

Deno.test("progressText() gives bytes, rate and time left", () => {
  assert.equal(
    progressText(PROGRESS, 50_000_000),
    "model.safetensors: 400.0 MB of 988.1 MB (41% of 999.6 MB in total, " +
      "50.0 MB/s, 12 s left)",
  );
  assert.equal(
    progressText(PROGRESS, 1_000_000),
    "model.safetensors: 400.0 MB of 988.1 MB (41% of 999.6 MB in total, " +
      "1.0 MB/s, 9 min 49 s left)",
  );
});

Deno.test("progressText() says nothing of a rate that isn't known", () => {
  for (const rate of [null, 0, -1]) {
    assert.equal(
      progressText(PROGRESS, rate),
      "model.safetensors: 400.0 MB of 988.1 MB (41% of 999.6 MB in total)",
    );
  }
});

Deno.test("progressText() says that a file is verified", () => {
  assert.equal(
    progressText(
      { ...PROGRESS, file: "config.json", fileTotalBytes: 659, verified: true },
      1,
    ),
    "config.json: verified, 659 bytes (411.0 MB of 999.6 MB in total)",
  );
});

Deno.test("TransferRate tells the rate of the last seconds", () => {
  const rate = new TransferRate();
  assert.equal(rate.bytesPerSecond(), null);
  rate.sample(0, 0);
  rate.sample(399, 1_000);
  assert.equal(rate.bytesPerSecond(), null);
  rate.sample(500, 1_000);
  assert.equal(rate.bytesPerSecond(), 2_000);
  for (let second = 1; second <= 20; second++) {
    rate.sample(1_000 * second, 1_000 + 100 * second);
  }
  assert.equal(rate.bytesPerSecond(), 100);
});
