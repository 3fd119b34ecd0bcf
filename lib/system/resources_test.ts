import assert from "node:assert/strict";
import { machineResources, withinLimit } from "./resources.ts";

Deno.test("machineResources.bootFacts() counts whole seconds since the start", () => {
  const before = Date.now();
  const facts = machineResources.bootFacts();
  assert.ok(Number.isSafeInteger(facts.uptimeSeconds));
  assert.ok(facts.uptimeSeconds >= 0);
  assert.ok(facts.wallMs >= before && facts.wallMs <= Date.now());
});

Deno.test("machineResources knows memory in bytes", () => {
  const total = machineResources.totalMemoryBytes();
  const available = machineResources.availableMemoryBytes();
  assert.ok(total > 64 * 1024 * 1024, String(total));
  assert.ok(available > 0 && available <= total, String(available));
});

Deno.test("machineResources.freeDiskBytes() asks the file system of a folder", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const free = machineResources.freeDiskBytes(folder);
    assert.ok(Number.isSafeInteger(free) && free > 0, String(free));
    assert.throws(() => machineResources.freeDiskBytes(`${folder}/missing`), {
      code: "ENOENT",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("withinLimit() takes the control group's limit where it is the lesser", () => {
  assert.deepEqual(
    [0, 1, 99, 100, 101, 2 ** 63].map((limit) => withinLimit(100, limit)),
    [100, 1, 99, 100, 100, 100],
  );
});
