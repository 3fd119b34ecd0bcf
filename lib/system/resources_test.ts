import assert from "node:assert/strict";
import { machineResources } from "./resources.ts";

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
