// deno-lint-ignore-file no-console -- a task speaks on the console
// The thread that watches; see stall_watch.ts.

/** How long an input may take, in milliseconds. */
const LONGEST_MS = 120_000;
const LOOK_MS = 1_000;

globalThis.addEventListener("message", ({ data }: MessageEvent) => {
  const head = new Int32Array(data, 0, 2);
  const input = new Uint8Array(data, 8);
  let [last, since] = [Atomics.load(head, 0), performance.now()];
  setInterval(() => {
    const now = Atomics.load(head, 0);
    if (now !== last) {
      [last, since] = [now, performance.now()];
    } else if (performance.now() - since > LONGEST_MS) {
      const judged = input.slice(0, Atomics.load(head, 1));
      console.error(
        `FINDING: no answer within ${LONGEST_MS / 1_000} s to the input\n` +
          judged.toBase64(),
      );
      Deno.exit(1);
    }
  }, LOOK_MS);
});
