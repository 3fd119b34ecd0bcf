// The first Ctrl-C (or SIGTERM, or a closed terminal's SIGHUP) cancels and lets the evidence be sealed. The
// listener is gone by then, so a second one kills even a hanging main thread.

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `act` at the first signal only. */
export function onSignal(act: () => void): { stop(): void } {
  const stop = () => {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, first);
  };
  const first = () => {
    stop();
    act();
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, first);
  return { stop };
}
