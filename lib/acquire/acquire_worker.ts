// The acquire worker may speak to the hub and its storage hosts
// and write the one model folder; Deno refuses the rest, whatever this code does.

import { systemCode } from "../system/error_code.ts";
import { diskFiles } from "../system/files.ts";
import { copyFiles } from "./copy_files.ts";
import { diskRefusal } from "./disk_refusal.ts";
import { Ledger } from "./ledger.ts";
import type { FromAcquireWorker, ToAcquireWorker } from "./messages.ts";
import { ProgressMeter } from "./progress_meter.ts";
import type { Refusal } from "./refusal.ts";
import { transferFiles, type WholeTransfer } from "./transfer.ts";
import { TransferWatch } from "./transfer_watch.ts";

/** Where the worker's messages come from and go to. */
export interface WorkerPort {
  onmessage: ((event: MessageEvent<ToAcquireWorker>) => void) | null;
  postMessage(message: FromAcquireWorker): void;
}

/** Serves one acquisition over a port. */
export function serveAcquisition(port: WorkerPort): void {
  let watch: TransferWatch | null = null;
  port.onmessage = ({ data }) => {
    switch (data.type) {
      case "greeting":
        return port.postMessage({ type: "hello" });
      case "start":
        watch = new TransferWatch(data.limits.idleMs, data.remainingMs);
        return void acquire(data, watch, port)
          .then((ended) => port.postMessage(ended))
          .finally(() => watch?.stop());
      case "cancel":
        return watch?.cancel(data.why);
      case "expire":
        return watch?.expire(data.ended);
    }
  };
}

async function acquire(
  start: Extract<ToAcquireWorker, { type: "start" }>,
  watch: TransferWatch,
  port: WorkerPort,
): Promise<Extract<FromAcquireWorker, { type: "ended" }>> {
  const { folder, shownAs, plan, limits, from } = start;
  const startedMs = performance.now();
  const uptimeSeconds = (): number =>
    start.uptimeSeconds + Math.floor((performance.now() - startedMs) / 1000);
  const open = roomFault(folder);
  if (open !== null) {
    return { type: "ended", refusal: notEnforced(shownAs, open), ledger: null };
  }
  let opened: ReturnType<typeof Ledger.open>;
  try {
    const place = { files: diskFiles, folder, shownAs, plan, limits };
    opened = Ledger.open(place, uptimeSeconds);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    const refusal = diskRefusal(error, shownAs);
    return { type: "ended", refusal, ledger: null };
  }
  if (!opened.ok) {
    return { type: "ended", refusal: opened.refusal, ledger: null };
  }
  const { ledger } = opened;
  const meter = new ProgressMeter(
    plan,
    (progress) => port.postMessage({ type: "progress", progress }),
  );
  const transfer: WholeTransfer = {
    files: diskFiles,
    folder,
    shownAs,
    plan,
    revision: plan.revision,
    limits,
    ledger,
    watch,
    uptimeSeconds,
    onBytes: (file, bytes) => meter.count(file, bytes),
    onVerified: (file) => meter.complete(file),
  };
  try {
    const refusal = from === null
      ? await transferFiles(transfer)
      : await copyFiles(transfer, from);
    keepWindowEnd(ledger, watch);
    return { type: "ended", refusal, ledger: ledger.content };
  } catch (error) {
    if (systemCode(error) === null) throw error;
    const refusal = diskRefusal(error, shownAs);
    return { type: "ended", refusal, ledger: ledger.content };
  } finally {
    ledger.close();
  }
}

/** Writes down that the window is over, so that no later clock can reopen it. */
function keepWindowEnd(ledger: Ledger, { windowEnd }: TransferWatch): void {
  if (windowEnd === null) return;
  ledger.update((content) => ({
    ...content,
    window: {
      ...content.window,
      ended: content.window.ended ?? windowEnd,
    },
  }));
}

/**
 * Tries what this worker must not be able to do: a runtime that ignored its
 * permissions would otherwise go unnoticed. Nothing is left behind or sent.
 *
 * @returns Null, or what was possible.
 */
function roomFault(folder: string): string | null {
  const attempts: readonly (readonly [string, () => unknown])[] = [
    [
      "listen on the network",
      () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    ],
    ["look outside its folder", () => Deno.lstatSync(`${folder}/..`)],
    [
      "write outside its folder",
      () => Deno.removeSync(`${folder}/../${PROBE_NAME}/absent`),
    ],
    ["read the environment", () => Deno.env.get("HTTPS_PROXY")],
  ];
  for (const [what, attempt] of attempts) {
    try {
      attempt();
      return what;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) return what;
    }
  }
  return null;
}

const PROBE_NAME = "tinycoder-absent";

function notEnforced(shownAs: string, what: string): Refusal {
  return {
    code: "internal",
    what: `Cannot acquire into "${shownAs}"`,
    why:
      `this Deno does not enforce the worker's permissions: it could ${what}`,
    next: "Run tinycoder with the Deno version it was made for",
  };
}
