// Lab Part 2: abort on a metadata mismatch. What the hub says about a file has to
// be what is pinned, at every hop, before a byte of it is taken.

import type { PlannedFile } from "./checkpoint_plan.ts";
import { endFault, type FileFault } from "./file_fault.ts";
import type { ResponseHead } from "./http_head.ts";
import { grouped } from "./wrong_content.ts";

/** What an answer says of revision, size and identity, where it says so. */
export function metadataFault(
  head: ResponseHead,
  file: PlannedFile,
  revision: string,
): FileFault | null {
  const commit = head.field("x-repo-commit");
  if (commit !== null && commit !== revision) {
    return mismatch(`the server names revision "${shown(commit)}" instead`);
  }
  const size = head.field("x-linked-size");
  if (size !== null && size !== String(file.bytes)) {
    return mismatch(
      `the server gives its size as "${shown(size)}" instead of ` +
        grouped(file.bytes),
    );
  }
  const etag = head.field("x-linked-etag");
  return etag === null ? null : etagFault(etag, file);
}

/** What an answer with content says of it, before any of it is read. */
export function contentFault(
  head: ResponseHead,
  file: PlannedFile,
  fromByte: number,
): FileFault | null {
  const encoding = head.field("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    return mismatch(
      `the server compressed it ("${
        shown(encoding)
      }") although that was ruled out`,
    );
  }
  if (head.status !== 206) return null;
  const range = head.field("content-range");
  const expected = `bytes ${fromByte}-${file.bytes - 1}/${file.bytes}`;
  if (fromByte === 0 || range !== expected) {
    return mismatch(
      range === null
        ? "the server sent a part without saying which"
        : `the server sent the part "${shown(range)}" instead of ` +
          (fromByte === 0 ? "the whole file" : `"${expected}"`),
    );
  }
  const { framing } = head;
  if (framing.kind === "length" && framing.bytes !== file.bytes - fromByte) {
    return mismatch(
      `the server announced ${grouped(framing.bytes)} bytes for a part of ` +
        grouped(file.bytes - fromByte),
    );
  }
  return null;
}

/**
 * How long an answer asks to wait, in milliseconds.
 *
 * @param nowMs Wall time, in milliseconds since 1970.
 */
export function retryAfterMs(head: ResponseHead, nowMs: number): number | null {
  const value = head.field("retry-after");
  if (value === null) return null;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** The hub's tag is a SHA-256 for large files and Git's blob id for others. */
function etagFault(etag: string, file: PlannedFile): FileFault | null {
  const tag = /^(?:W\/)?"?([0-9a-f]{40}|[0-9a-f]{64})"?$/i.exec(etag)?.[1]
    ?.toLowerCase();
  const { sha256, gitBlobSha1 } = file.identity;
  const pinned = tag?.length === 64 ? sha256 : gitBlobSha1;
  // An identity of the other kind can't be compared; the bytes will be.
  return tag === undefined || (pinned !== undefined && tag !== pinned)
    ? mismatch(`the server gives its identity as "${shown(etag)}"`)
    : null;
}

function mismatch(why: string): FileFault {
  return endFault("metadata_mismatch", why);
}

function shown(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]|"/g, "?");
}
