// REPORTS 32: bytes are appended only where they belong, are counted against the
// one budget, and never go beyond the file.

import type { PlannedFile } from "./checkpoint_plan.ts";
import { budgetFault, endFault, type FileFault } from "./file_fault.ts";
import type { FileAnswer } from "./hub_request.ts";
import { type PartFile, STEP_BYTES } from "./part_file.ts";
import type { RequestRecord } from "./request_record.ts";
import { wrongContent } from "./wrong_content.ts";

/**
 * Reads an answer's body into a partial file, and accounts for each byte.
 *
 * @param onBytes Told how many bytes of the file are there.
 * @returns Null when as many bytes are there as the file has, else why not.
 * @throws {TransportFault} or the disk's error; what arrived before is kept.
 */
export async function receiveAnswer(
  file: PlannedFile,
  part: PartFile,
  answer: FileAnswer,
  record: RequestRecord,
  onBytes: (bytes: number) => void,
): Promise<FileFault | null> {
  const { body } = answer.response;
  if (answer.fromByte < part.bytes) {
    // The server sends the file from its start, within the same budget.
    if (record.available < file.bytes) {
      const { available } = record;
      record.prepare(file.bytes);
      record.forfeit(file.bytes);
      return budgetFault(file.bytes, available);
    }
    part.restart();
  }
  const buffer = new Uint8Array(STEP_BYTES);
  let filled = 0;
  const store = (): void => {
    part.append(buffer.subarray(0, filled));
    filled = 0;
  };
  try {
    for (;;) {
      const left = file.bytes - part.bytes - filled;
      if (left === 0 && body.left() === 0) break;
      record.prepare(left);
      const room = Math.min(buffer.length - filled, Math.max(1, left));
      if (record.allowance === 0) {
        if (left === 0) break;
        return budgetFault(left, 0);
      }
      const into = buffer.subarray(
        filled,
        filled + Math.min(room, record.allowance),
      );
      const count = await body.read(into);
      if (count === null) break;
      record.received(count);
      if (left === 0) {
        record.forfeit(body.left() ?? record.allowance);
        return tooLong(file, part);
      }
      filled += count;
      if (filled === buffer.length) store();
      onBytes(part.bytes + filled);
    }
  } finally {
    // Whatever arrived before a fault is where the retry goes on from.
    if (filled > 0) store();
  }
  return part.bytes < file.bytes ? shortAnswer(file, part) : null;
}

function tooLong(file: PlannedFile, part: PartFile): FileFault {
  const { why, next } = wrongContent(
    { bytes: file.bytes + 1, head: part.head },
    file.bytes,
  );
  return endFault(
    "content_mismatch",
    `what the server sent is wrong: ${why}`,
    next,
  );
}

/** An answer without an announced length that ended too early. */
function shortAnswer(file: PlannedFile, part: PartFile): FileFault {
  const wrong = wrongContent(
    { bytes: part.bytes, head: part.head },
    file.bytes,
  );
  const why = `what the server sent is wrong: ${wrong.why}`;
  return wrong.kind === "truncated" || wrong.kind === "empty"
    ? { code: "network_failed", then: "retry", why, next: null }
    : endFault("content_mismatch", why, wrong.next);
}
