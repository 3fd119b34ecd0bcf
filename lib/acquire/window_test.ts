import assert from "node:assert/strict";
import fc from "fast-check";
import type { BootFacts } from "../system/resources.ts";
import { LAB_LIMITS } from "./limits.ts";
import {
  type AcquisitionWindow,
  BOOT_TOLERANCE_MS,
  observeWindow,
  openWindow,
  windowRest,
} from "./window.ts";

const START: BootFacts = { uptimeSeconds: 5_000, wallMs: 1_700_000_000_000 };

function later(seconds: number, clockMovedMs = 0): BootFacts {
  return {
    uptimeSeconds: START.uptimeSeconds + seconds,
    wallMs: START.wallMs + seconds * 1000 + clockMovedMs,
  };
}

function ended(now: BootFacts, window = openWindow(START)): string | null {
  return observeWindow(window, now, LAB_LIMITS).ended;
}

Deno.test("openWindow() records uptime and wall time", () => {
  assert.deepEqual(openWindow(START), {
    opened_uptime_s: 5_000,
    opened_wall_ms: 1_700_000_000_000,
    seen_uptime_s: 5_000,
    ended: null,
  });
});

Deno.test("windowRest() counts one second against the window", () => {
  const window = openWindow(START);
  assert.deepEqual(windowRest(window, START, LAB_LIMITS), {
    acquireMs: 1_199_000,
    windowMs: 1_799_000,
  });
  assert.deepEqual(windowRest(window, later(600), LAB_LIMITS), {
    acquireMs: 599_000,
    windowMs: 1_199_000,
  });
});

Deno.test("windowRest() has nothing for transfer after 20 minutes", () => {
  const window = openWindow(START);
  assert.deepEqual(windowRest(window, later(1_198), LAB_LIMITS), {
    acquireMs: 1_000,
    windowMs: 601_000,
  });
  assert.deepEqual(windowRest(window, later(1_199), LAB_LIMITS), {
    acquireMs: 0,
    windowMs: 600_000,
  });
});

Deno.test("observeWindow() ends after 30 minutes", () => {
  assert.equal(ended(later(1_798)), null);
  assert.equal(ended(later(1_799)), "elapsed");
  assert.deepEqual(windowRest(openWindow(START), later(1_799), LAB_LIMITS), {
    acquireMs: 0,
    windowMs: 0,
  });
});

Deno.test("observeWindow() takes a smaller uptime for a restart", () => {
  const seen = observeWindow(openWindow(START), later(60), LAB_LIMITS);
  assert.equal(seen.seen_uptime_s, 5_060);
  assert.equal(ended(later(60), seen), null);
  assert.equal(ended(later(59), seen), "reboot");
});

Deno.test("observeWindow() takes a moved start for a restart, both ways", () => {
  for (const sign of [-1, 1]) {
    assert.equal(ended(later(9, sign * BOOT_TOLERANCE_MS)), null);
    assert.equal(
      ended(later(9, sign * (BOOT_TOLERANCE_MS + 1))),
      "clock_moved",
    );
  }
});

Deno.test("observeWindow() keeps an end, whatever the clocks say later", () => {
  const over = observeWindow(openWindow(START), later(9, 1e9), LAB_LIMITS);
  assert.equal(over.ended, "clock_moved");
  assert.equal(ended(later(10), over), "clock_moved");
  assert.equal(windowRest(over, later(10), LAB_LIMITS).windowMs, 0);
});

Deno.test("windowRest() never grows, whatever happens to clock and machine", () => {
  const step = fc.record({
    uptime: fc.integer({ min: -10_000, max: 4_000 }),
    wall: fc.integer({ min: -4_000_000, max: 4_000_000 }),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    let window: AcquisitionWindow = openWindow(START);
    let left = windowRest(window, START, LAB_LIMITS);
    for (const { uptime, wall } of steps) {
      const now = {
        uptimeSeconds: Math.max(0, START.uptimeSeconds + uptime),
        wallMs: START.wallMs + uptime * 1000 + wall,
      };
      window = observeWindow(window, now, LAB_LIMITS);
      const rest = windowRest(window, now, LAB_LIMITS);
      assert.ok(rest.acquireMs <= left.acquireMs);
      assert.ok(rest.windowMs <= left.windowMs);
      left = rest;
    }
  }));
});
