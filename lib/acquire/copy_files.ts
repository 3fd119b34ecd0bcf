// The user already has the files: they are verified while they are copied, by
// the same identities as a download. A copy shares no bytes with its original,
// so that changing one can't change the other.

import * as fs from "node:fs";
import { PART_SUFFIX, type PlannedFile } from "./checkpoint_plan.ts";
import { diskRefusal } from "./disk_refusal.ts";
import { isPinnedFile } from "./file_digest.ts";
import { ledgerFile, withFile, withVerified } from "./ledger_content.ts";
import { readIdentity } from "./read_identity.ts";
import { PartFile } from "./part_file.ts";
import type { Refusal } from "./refusal.ts";
import {
  confirmPublished,
  unexpected,
  type WholeTransfer,
} from "./transfer.ts";
import { TransportFault } from "./transport_fault.ts";
import { HEAD_BYTES, wrongContent } from "./wrong_content.ts";

/** Where the files come from. */
export interface CopySource {
  /** Real path of the folder that has them. */
  readonly folder: string;
  /** The folder as the user calls it, for messages. */
  readonly shownAs: string;
}

/**
 * Copies every file that the model folder lacks.
 *
 * @returns Null when all are verified, else why not.
 */
export async function copyFiles(
  transfer: WholeTransfer,
  source: CopySource,
): Promise<Refusal | null> {
  try {
    const refusal = unexpected(transfer) ?? await confirmPublished(transfer);
    if (refusal !== null) return refusal;
    const missing = transfer.plan.files.filter(({ name }) =>
      ledgerFile(transfer.ledger.content, name).status !== "verified"
    );
    // All are looked at before the first is copied.
    for (const file of missing) {
      const wrong = lookAt(source, file);
      if (wrong !== null) return wrong;
    }
    for (const file of missing) {
      const wrong = await copyFile(transfer, source, file);
      if (wrong !== null) return wrong;
    }
    return unexpected(transfer);
  } catch (error) {
    return error instanceof TransportFault
      ? stopped(error, transfer.shownAs)
      : diskRefusal(error, transfer.shownAs);
  }
}

function lookAt(source: CopySource, file: PlannedFile): Refusal | null {
  const path = `${source.folder}/${file.name}`;
  const entry = fs.lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) {
    return refusal(source, file, "it is not there", "Put the file there");
  }
  if (!entry.isFile()) {
    return refusal(
      source,
      file,
      entry.isSymbolicLink() ? "it is a link" : "it is not a file",
      'Put the file itself there, for example with "cp -L"',
    );
  }
  if (entry.size === file.bytes) return null;
  const head = new Uint8Array(HEAD_BYTES);
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    const count = fs.readSync(fd, head, 0, head.length, 0);
    const found = { bytes: entry.size, head: head.subarray(0, count) };
    const { why, next } = wrongContent(found, file.bytes);
    return refusal(source, file, why, next);
  } finally {
    fs.closeSync(fd);
  }
}

async function copyFile(
  transfer: WholeTransfer,
  source: CopySource,
  file: PlannedFile,
): Promise<Refusal | null> {
  const { files, folder, ledger, watch } = transfer;
  // From here on the partial form is no evidence of a download.
  ledger.update((content) =>
    withFile(content, file.name, () => ({ origin: "copy" }))
  );
  const leftover = `${folder}/${file.name}${PART_SUFFIX}`;
  if (files.facts(leftover) !== null) files.remove(leftover);
  const part = PartFile.open(folder, file);
  let verified = false;
  try {
    const path = `${source.folder}/${file.name}`;
    const copied = await readIdentity(path, file, async (bytes) => {
      if (part.bytes + bytes.length <= file.bytes) part.append(bytes);
      transfer.onBytes(file, part.bytes);
      await watch.pause(0);
      const over = watch.over();
      if (over !== null) throw over;
    });
    if (copied === null) {
      return refusal(source, file, "it was taken away", "Put the file there");
    }
    if (!isPinnedFile(copied.observed, file)) {
      const { why, next } = wrongContent(
        { bytes: copied.observed.bytes, head: copied.head },
        file.bytes,
      );
      return refusal(source, file, why, next);
    }
    part.publish(files, folder);
    verified = true;
    ledger.update((content) =>
      withVerified(content, file.name, copied.observed, "copy")
    );
    transfer.onVerified(file);
    return null;
  } finally {
    if (!verified) part.restart();
    part.close();
  }
}

function refusal(
  source: CopySource,
  file: PlannedFile,
  why: string,
  next: string,
): Refusal {
  return {
    code: "copy_refused",
    what: `Cannot copy "${file.name}" from "${source.shownAs}"`,
    why,
    next,
  };
}

function stopped(fault: TransportFault, shownAs: string): Refusal {
  return {
    code: fault.kind === "cancelled" ? "cancelled" : "window_over",
    what: `Cannot copy into "${shownAs}"`,
    why: fault.message,
    next: "Run the same command again",
  };
}
