// What the supervisor and the acquire worker say to each other. The worker gets
// its time as a rest, not as an instant: it may not ask the machine's uptime.

import type { CheckpointPlan } from "./checkpoint_plan.ts";
import type { CopySource } from "./copy_files.ts";
import type { LedgerContent } from "./ledger_format.ts";
import type { AcquisitionLimits } from "./limits.ts";
import type { Refusal } from "./refusal.ts";
import type { WindowEnd } from "./window.ts";

/** From the supervisor to the acquire worker. */
export type ToAcquireWorker =
  /** First; see lib/supervisor/messages.ts for why the worker doesn't begin. */
  | { readonly type: "greeting" }
  | {
    readonly type: "start";
    /** Real path of the model folder. */
    readonly folder: string;
    /** The folder as the user calls it. */
    readonly shownAs: string;
    readonly plan: CheckpointPlan;
    readonly limits: AcquisitionLimits;
    /** The machine's uptime now, in seconds. */
    readonly uptimeSeconds: number;
    /** Time that is left for the transfer, in milliseconds. */
    readonly remainingMs: number;
    /** Where to copy from; null to download. */
    readonly from: CopySource | null;
  }
  | { readonly type: "cancel"; readonly why: string }
  /** Time is over by the machine's clocks; null where only the transfer's is. */
  | { readonly type: "expire"; readonly ended: WindowEnd | null };

/** What a transfer has reached. */
export interface TransferProgress {
  readonly file: string;
  /** Bytes of the file that are there. */
  readonly fileBytes: number;
  readonly fileTotalBytes: number;
  /** Bytes of all files that are there. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Whether the file is verified under its final name. */
  readonly verified: boolean;
}

/** From the acquire worker to the supervisor. */
export type FromAcquireWorker =
  /** The answer to the greeting. */
  | { readonly type: "hello" }
  | { readonly type: "progress"; readonly progress: TransferProgress }
  | {
    readonly type: "ended";
    /** Null when every file is verified. */
    readonly refusal: Refusal | null;
    /** The ledger as it was left; null if it couldn't be taken over. */
    readonly ledger: LedgerContent | null;
  };
