// The main thread owns the acquire worker, its rights,
// the window and the cancellation. The worker measures its own time; the machine's
// uptime, which also counts while it sleeps, is watched from here.

import { NO_RIGHTS } from "../system/permissions.ts";
import type { Resources } from "../system/resources.ts";
import type { AcquisitionEnd } from "./acquisition.ts";
import type { CopySource } from "./copy_files.ts";
import { NET_PERMISSION } from "./host_rule.ts";
import type { LedgerPlace } from "./ledger.ts";
import type {
  FromAcquireWorker,
  ToAcquireWorker,
  TransferProgress,
} from "./messages.ts";
import type { Refusal } from "./refusal.ts";
import {
  type AcquisitionWindow,
  observeWindow,
  type WindowEnd,
  windowRest,
} from "./window.ts";

/** One transfer, as the supervisor is told of it. */
export interface SupervisedTransfer {
  readonly place: LedgerPlace;
  readonly window: AcquisitionWindow;
  readonly resources: Resources;
  /** Where to copy from; null to download or only to verify. */
  readonly source: CopySource | null;
  /** Whether the network is needed at all. */
  readonly downloads: boolean;
  readonly cancel: AbortSignal;
  readonly onProgress: (progress: TransferProgress) => void;
}

/** How often the machine's uptime is looked at, in milliseconds. */
const WINDOW_PERIOD_MS = 1_000;
/** How long a stopped worker may take to settle its account, in milliseconds. */
const SETTLE_MS = 10_000;

/** Runs the acquire worker to its end. */
export function superviseTransfer(
  transfer: SupervisedTransfer,
): Promise<AcquisitionEnd> {
  const { place, source, downloads, resources, cancel } = transfer;
  const { folder, shownAs, plan, limits } = place;
  const restMs = (): number =>
    downloads
      ? windowRest(transfer.window, resources.bootFacts(), limits).acquireMs
      : limits.acquireSeconds * 1_000;
  const windowEnd = (): WindowEnd | null =>
    observeWindow(transfer.window, resources.bootFacts(), limits).ended;
  const worker = new Worker(
    new URL("../../worker/acquire.ts", import.meta.url),
    {
      type: "module",
      name: "acquire",
      deno: {
        permissions: {
          ...NO_RIGHTS,
          net: downloads ? [...NET_PERMISSION] : false,
          read: source === null ? [folder] : [folder, source.folder],
          write: [folder],
        },
      },
    } as WorkerOptions,
  );
  const post = (message: ToAcquireWorker): void => worker.postMessage(message);

  return new Promise((resolve) => {
    let settling: ReturnType<typeof setTimeout> | undefined;
    const end = (what: AcquisitionEnd): void => {
      clearInterval(watching);
      clearTimeout(settling);
      cancel.removeEventListener("abort", onCancel);
      worker.terminate();
      resolve(what);
    };
    const stop = (message: ToAcquireWorker): void => {
      post(message);
      settling ??= setTimeout(
        () => end({ refusal: silent(shownAs), ledger: null }),
        SETTLE_MS,
      );
    };
    const onCancel = (): void =>
      stop({ type: "cancel", why: "it was cancelled" });
    const watching = setInterval(() => {
      if (restMs() === 0) stop({ type: "expire", ended: windowEnd() });
    }, WINDOW_PERIOD_MS);

    worker.onmessage = ({ data }: MessageEvent<FromAcquireWorker>) => {
      switch (data.type) {
        case "hello":
          post({
            type: "start",
            folder,
            shownAs,
            plan,
            limits,
            uptimeSeconds: resources.bootFacts().uptimeSeconds,
            remainingMs: restMs(),
            from: source,
          });
          cancel.addEventListener("abort", onCancel);
          if (cancel.aborted) onCancel();
          return;
        case "progress":
          return transfer.onProgress(data.progress);
        case "ended":
          return end({ refusal: data.refusal, ledger: data.ledger });
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end({ refusal: crashed(shownAs, event.message), ledger: null });
    };
    post({ type: "greeting" });
  });
}

function silent(shownAs: string): Refusal {
  return {
    code: "internal",
    what: `Cannot end the acquisition into "${shownAs}" in order`,
    why: "its worker did not answer any more and was stopped",
    next: "Run the same command again; what was reserved counts as used",
  };
}

function crashed(shownAs: string, message: string): Refusal {
  return {
    code: "internal",
    what: `Cannot acquire into "${shownAs}"`,
    why: `the program failed (${message.split("\n")[0]!.slice(0, 200)})`,
    next: "Run the same command again; what was reserved counts as used",
  };
}
