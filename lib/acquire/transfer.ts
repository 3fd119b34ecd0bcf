// The acquire worker's part. It goes through the files in their
// order, retries one once where a retry is allowed, and leaves a ledger that says
// what happened, whatever happens.

import type { CheckpointPlan, PlannedFile } from "./checkpoint_plan.ts";
import { beginAgain, faultRefusal, type FileFault } from "./file_fault.ts";
import { isPinnedFile } from "./file_digest.ts";
import { diskRefusal } from "./disk_refusal.ts";
import { ledgerFile, withFile, withVerified } from "./ledger_content.ts";
import { unexpectedEntry } from "./model_folder.ts";
import { readIdentity } from "./read_identity.ts";
import type { Refusal } from "./refusal.ts";
import { requestsLeft, type Transfer, transferFile } from "./transfer_file.ts";
import { wrongContent } from "./wrong_content.ts";

/** What the whole transfer is about. */
export interface WholeTransfer extends Transfer {
  readonly plan: CheckpointPlan;
  /** The model folder as the user calls it, for messages. */
  readonly shownAs: string;
}

/**
 * Brings every file of a plan into its folder.
 *
 * @returns Null when all are verified, else why not.
 */
export async function transferFiles(
  transfer: WholeTransfer,
): Promise<Refusal | null> {
  try {
    return unexpected(transfer) ?? await confirmPublished(transfer) ??
      await transferMissing(transfer) ?? unexpected(transfer);
  } catch (error) {
    return diskRefusal(error, transfer.shownAs);
  }
}

/**
 * Ends the acquisition if the folder holds what it may not.
 *
 * @returns Null if it doesn't.
 */
export function unexpected(transfer: WholeTransfer): Refusal | null {
  const why = unexpectedEntry(transfer.files, transfer.folder, transfer.plan);
  if (why === null) return null;
  return end(transfer, {
    code: "unexpected_file",
    what: `Cannot acquire into "${transfer.shownAs}"`,
    why,
    next: beginAgain(),
  });
}

/**
 * Reads again what has its final name: nothing on the disk is trusted.
 *
 * @returns Null if all of it is verified, or time was over before.
 */
export async function confirmPublished(
  transfer: WholeTransfer,
): Promise<Refusal | null> {
  for (const file of transfer.plan.files) {
    const before = ledgerFile(transfer.ledger.content, file.name);
    const path = `${transfer.folder}/${file.name}`;
    let read = 0;
    let pausedAt = 0;
    const found = await readIdentity(path, file, async (bytes) => {
      read += bytes.length;
      transfer.onBytes(file, Math.min(read, file.bytes));
      if (read - pausedAt < PAUSE_BYTES) return;
      pausedAt = read;
      await transfer.watch.pause(0);
    });
    const over = transfer.watch.over();
    if (over !== null) return null;
    if (found === null) {
      if (before.status !== "verified") continue;
      transfer.ledger.update((content) => ({
        ...withFile(content, file.name, () => ({ status: "partial" })),
        status: content.end === null ? "open" : "ended",
      }));
    } else if (!isPinnedFile(found.observed, file)) {
      const { why } = wrongContent(
        { bytes: found.observed.bytes, head: found.head },
        file.bytes,
      );
      return end(transfer, {
        code: "content_mismatch",
        what: `Cannot go on with "${file.name}" in "${transfer.shownAs}"`,
        why: `it was changed after it was acquired: ${why}`,
        next: beginAgain(),
      });
    } else {
      if (before.status !== "verified") {
        transfer.ledger.update((content) =>
          withVerified(
            content,
            file.name,
            found.observed,
            before.origin ?? "hub",
          )
        );
      }
      transfer.onVerified(file);
    }
  }
  return null;
}

async function transferMissing(
  transfer: WholeTransfer,
): Promise<Refusal | null> {
  for (const file of transfer.plan.files) {
    for (let attempts = 1;; attempts++) {
      const { content } = transfer.ledger;
      if (ledgerFile(content, file.name).status === "verified") break;
      const fault = await transferFile(transfer, file);
      if (fault === null) continue;
      const retryLeft = requestsLeft(
        transfer.ledger.content,
        file.name,
        transfer.limits,
      ) > 0;
      const delayMs = fault.retryAfterMs ?? transfer.limits.retryDelayMs;
      // A connection that could not be made is no request, and uses none up.
      if (
        fault.then === "retry" && retryLeft &&
        attempts < transfer.limits.requestsPerFile &&
        mayWait(transfer, delayMs)
      ) {
        await transfer.watch.pause(delayMs);
        continue;
      }
      return giveUp(transfer, file, fault, retryLeft);
    }
  }
  return null;
}

/** After so many bytes read from the disk, a cancellation is listened for. */
const PAUSE_BYTES = 32 * 1024 * 1024;

function mayWait(transfer: WholeTransfer, delayMs: number): boolean {
  return delayMs <= transfer.limits.longestRetryDelayMs &&
    delayMs < transfer.watch.remainingMs();
}

function giveUp(
  transfer: WholeTransfer,
  file: PlannedFile,
  fault: FileFault,
  retryLeft: boolean,
): Refusal {
  const refusal = faultRefusal(fault, file, {
    requests: ledgerFile(transfer.ledger.content, file.name).requests.length,
    retryLeft,
    shownAs: transfer.shownAs,
  });
  if (fault.then === "end" || !retryLeft) {
    transfer.ledger.update((content) =>
      withFile(content, file.name, () => ({ status: "failed" }))
    );
  }
  return fault.then === "end" ? end(transfer, refusal) : refusal;
}

/** Ends the acquisition for good, in the ledger. */
function end(transfer: WholeTransfer, refusal: Refusal): Refusal {
  const { code, what, why } = refusal;
  transfer.ledger.update((content) => ({
    ...content,
    status: "ended",
    end: { code, what, why },
  }));
  return refusal;
}
