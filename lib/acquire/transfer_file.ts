// Lab Part 2: one file, from what is already there to its final name.

import type { Files } from "../system/files.ts";
import type { PlannedFile } from "./checkpoint_plan.ts";
import { isPinnedFile } from "./file_digest.ts";
import {
  budgetFault,
  endFault,
  type FileFault,
  transportFileFault,
} from "./file_fault.ts";
import { type FileAnswer, requestFile } from "./hub_request.ts";
import {
  ledgerFile,
  unreservedBytes,
  withObserved,
  withVerified,
} from "./ledger_content.ts";
import type { LedgerContent } from "./ledger_format.ts";
import type { Ledger } from "./ledger.ts";
import type { AcquisitionLimits } from "./limits.ts";
import { PartFile } from "./part_file.ts";
import { receiveAnswer } from "./receive_answer.ts";
import { RequestRecord } from "./request_record.ts";
import type { TransferWatch } from "./transfer_watch.ts";
import { TransportFault } from "./transport_fault.ts";
import { wrongContent } from "./wrong_content.ts";

/** What the transfer of a folder's files shares. */
export interface Transfer {
  readonly files: Files;
  /** Real path of the model folder. */
  readonly folder: string;
  readonly revision: string;
  readonly limits: AcquisitionLimits;
  readonly ledger: Ledger;
  readonly watch: TransferWatch;
  readonly uptimeSeconds: () => number;
  /** Told how many bytes of the file are there. */
  readonly onBytes: (file: PlannedFile, bytes: number) => void;
  /** Told that a file is verified under its final name. */
  readonly onVerified: (file: PlannedFile) => void;
}

/**
 * Makes at most one request for a file and brings it to its final name.
 *
 * @returns Null when the file is verified, else why it isn't.
 * @throws The disk's error.
 */
export async function transferFile(
  transfer: Transfer,
  file: PlannedFile,
): Promise<FileFault | null> {
  const part = PartFile.open(transfer.folder, file);
  try {
    const { origin } = ledgerFile(transfer.ledger.content, file.name);
    // A copy that was broken off is nothing to continue a download from.
    if (origin === "copy") part.restart();
    if (part.bytes === file.bytes) {
      return settlePart(
        transfer,
        file,
        part,
        (change) => transfer.ledger.update(change),
      );
    }
    if (
      requestsLeft(transfer.ledger.content, file.name, transfer.limits) === 0
    ) {
      return {
        code: "retry_used",
        then: "stop",
        why: "its one retry is used up",
        next: null,
      };
    }
    const needed = file.bytes - part.bytes;
    const left = unreservedBytes(transfer.ledger.content);
    if (needed > left) return budgetFault(needed, left);
    return await request(transfer, file, part);
  } finally {
    part.close();
  }
}

/** Requests that a file may still have. */
export function requestsLeft(
  content: LedgerContent,
  name: string,
  limits: AcquisitionLimits,
): number {
  return Math.max(
    0,
    limits.requestsPerFile - ledgerFile(content, name).requests.length,
  );
}

async function request(
  transfer: Transfer,
  file: PlannedFile,
  part: PartFile,
): Promise<FileFault | null> {
  let record: RequestRecord | null = null;
  let answer: FileAnswer | null = null;
  let fault: FileFault | null;
  try {
    const asked = await requestFile({
      file,
      revision: transfer.revision,
      fromByte: part.bytes,
      watch: transfer.watch,
      begin: () =>
        record = RequestRecord.open(transfer.ledger, file.name, {
          fromByte: part.bytes,
          expectedBytes: file.bytes - part.bytes,
          uptimeSeconds: transfer.uptimeSeconds(),
          reservationBytes: transfer.limits.reservationBytes,
        }),
    });
    if ("fault" in asked) fault = asked.fault;
    else {
      answer = asked.answer;
      fault = await receiveAnswer(
        file,
        part,
        answer,
        record!,
        (bytes) => transfer.onBytes(file, bytes),
      );
    }
  } catch (error) {
    if (!(error instanceof TransportFault)) throw error;
    fault = transportFileFault(error);
    // After a proper end nothing is on its way; else nobody knows.
    if (error.kind !== "ended") forfeitRest(record, answer);
  } finally {
    answer?.connection.close();
  }
  return settle(transfer, file, part, record, fault);
}

function forfeitRest(
  record: RequestRecord | null,
  answer: FileAnswer | null,
): void {
  record?.forfeit(answer?.response.body.left() ?? record.allowance);
}

/** Closes the request's account with what became of it. */
function settle(
  transfer: Transfer,
  file: PlannedFile,
  part: PartFile,
  record: RequestRecord | null,
  fault: FileFault | null,
): FileFault | null {
  if (fault === null) {
    return settlePart(
      transfer,
      file,
      part,
      (change, failed) =>
        record!.close(failed === null ? "complete" : "refused", failed, change),
    );
  }
  if (fault.then === "end") part.restart();
  if (record === null) return fault;
  record.close(
    fault.code === "cancelled"
      ? "cancelled"
      : fault.then === "retry" || fault.code === "window_over"
      ? "interrupted"
      : "refused",
    fault.why,
  );
  return fault;
}

/** Verifies a part that has its full size, and publishes it. */
function settlePart(
  transfer: Transfer,
  file: PlannedFile,
  part: PartFile,
  write: (
    change: (content: LedgerContent) => LedgerContent,
    failed: string | null,
  ) => void,
): FileFault | null {
  const observed = part.finish();
  if (!isPinnedFile(observed, file)) {
    const { why, next } = wrongContent(
      { bytes: observed.bytes, head: part.head },
      file.bytes,
    );
    const fault = endFault(
      "content_mismatch",
      `what the server sent is wrong: ${why}`,
      next,
    );
    part.restart();
    write((content) => withObserved(content, file.name, observed), why);
    return fault;
  }
  part.publish(transfer.files, transfer.folder);
  write((content) => withVerified(content, file.name, observed, "hub"), null);
  transfer.onVerified(file);
  return null;
}
