import assert from "node:assert/strict";
import { TransferWatch } from "./transfer_watch.ts";
import { TransportFault, type TransportFaultKind } from "./transport_fault.ts";

const LONG = 3_600_000;

/** Waits for something that only the watch can end. */
function never(watch: TransferWatch): Promise<void> {
  let fail = (_: Error): void => {};
  return watch.guard(
    () => fail(new Error("closed")),
    () => new Promise<void>((_, reject) => fail = reject),
  );
}

async function rejectsWith(
  waiting: Promise<void>,
  kind: TransportFaultKind,
): Promise<void> {
  await assert.rejects(
    waiting,
    (error) => error instanceof TransportFault && error.kind === kind,
  );
}

async function watching(
  [idleMs, remainingMs]: readonly [number, number],
  work: (watch: TransferWatch) => Promise<void>,
): Promise<void> {
  const watch = new TransferWatch(idleMs, remainingMs);
  try {
    await work(watch);
  } finally {
    watch.stop();
  }
}

Deno.test("TransferWatch ends a wait without bytes, and the next may begin", async () => {
  await watching([20, LONG], async (watch) => {
    await rejectsWith(never(watch), "idle");
    assert.equal(watch.over(), null);
    assert.equal(await watch.guard(() => {}, () => Promise.resolve(1)), 1);
  });
});

Deno.test("TransferWatch ends everything at the deadline", async () => {
  await watching([LONG, 20], async (watch) => {
    await rejectsWith(never(watch), "deadline");
    assert.equal(watch.over()?.kind, "deadline");
    assert.equal(watch.remainingMs(), 0);
    await rejectsWith(never(watch), "deadline");
  });
});

Deno.test("TransferWatch ends everything at a cancellation", async () => {
  await watching([LONG, LONG], async (watch) => {
    const waiting = never(watch);
    watch.cancel("because");
    await assert.rejects(waiting, /because/);
    await rejectsWith(never(watch), "cancelled");
    watch.expire(null);
    assert.equal(watch.over()?.kind, "cancelled", "the first reason stays");
  });
});

Deno.test("TransferWatch.expire() ends everything as the deadline does", async () => {
  await watching([LONG, LONG], async (watch) => {
    const waiting = never(watch);
    watch.expire(null);
    await rejectsWith(waiting, "deadline");
    assert.equal(watch.windowEnd, null);
  });
});

Deno.test("TransferWatch.expire() tells why the whole window is over", async () => {
  const cases = [
    ["elapsed", /20 minutes, is over/],
    ["clock_moved", /restarted, or its clock set, since it began/],
    ["reboot", /restarted since it began/],
  ] as const;
  for (const [ended, says] of cases) {
    await watching([LONG, LONG], async (watch) => {
      const waiting = never(watch);
      watch.expire(ended);
      await assert.rejects(waiting, says);
      watch.expire(null);
      assert.equal(watch.windowEnd, ended);
    });
  }
});

Deno.test("TransferWatch.pause() ends early when it is all over", async () => {
  await watching([10, LONG], async (watch) => {
    await watch.pause(30);
    assert.equal(watch.over(), null, "a pause is no idle connection");
    const paused = watch.pause(LONG);
    watch.cancel("because");
    await paused;
    await watch.pause(LONG);
  });
});

Deno.test("TransferWatch.guard() passes the work's own fault on", async () => {
  await watching([LONG, LONG], async (watch) => {
    await assert.rejects(
      watch.guard(() => {}, () => Promise.reject(new Error("own"))),
      /own/,
    );
  });
});
