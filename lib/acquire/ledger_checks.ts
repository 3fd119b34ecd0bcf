// Budget, retries and window hold across processes. A ledger
// is taken for ours only if it agrees with the checkpoint, with this program's
// limits, with itself, and with what lies beside it; an edit that passes all of
// that has gained nothing.

import { quoteSafely } from "../system/safe_text.ts";
import type { BootFacts } from "../system/resources.ts";
import type { CheckpointPlan } from "./checkpoint_plan.ts";
import { newLedgerContent } from "./ledger_content.ts";
import type { LedgerContent, LedgerFile } from "./ledger_format.ts";
import type { AcquisitionLimits } from "./limits.ts";

/** What lies in the model folder beside the ledger. */
export interface FolderFacts {
  /** When the folder was made, in milliseconds since 1970; null if unknown. */
  readonly birthMs: number | null;
  /** Size of a file's partial form; null where there is none. */
  partBytes(name: string): number | null;
  /** Whether a file has its final name. */
  isPublished(name: string): boolean;
}

/**
 * How much older than its window a folder may seem, in milliseconds: the window
 * opens first, but file systems keep time by a coarser clock.
 */
const BIRTH_TOLERANCE_MS = 1000;

/** Most bytes of a text of the ledger in a message. */
const SHOWN_BYTES = 120;

/**
 * Compares a ledger with everything it must agree with.
 *
 * @returns Null, or the first disagreement, as a clause.
 */
export function ledgerFault(
  content: LedgerContent,
  plan: CheckpointPlan,
  limits: AcquisitionLimits,
  folder: FolderFacts,
): string | null {
  return identityFault(content, plan, limits) ??
    accountFault(content, limits) ??
    windowFault(content, folder) ?? folderFault(content, folder) ??
    statusFault(content);
}

function identityFault(
  content: LedgerContent,
  plan: CheckpointPlan,
  limits: AcquisitionLimits,
): string | null {
  const origin: BootFacts = { uptimeSeconds: 0, wallMs: 0 };
  const fresh = newLedgerContent(plan, limits, origin, content.opt_ins[0]!);
  for (const key of ["label", "pinned", "repository", "revision"] as const) {
    if (content[key] !== fresh[key]) {
      const found = quoteSafely(String(content[key]), SHOWN_BYTES);
      return `it is for another checkpoint (${key} ${found})`;
    }
  }
  const pinned = (file: LedgerFile): string =>
    JSON.stringify([
      file.name,
      file.url,
      file.expected_bytes,
      file.expected_sha256,
      file.expected_git_blob_sha1,
    ]);
  if (content.files.length !== fresh.files.length) {
    return "its list of files is not the checkpoint's";
  }
  for (const [index, file] of content.files.entries()) {
    if (pinned(file) !== pinned(fresh.files[index]!)) {
      const name = quoteSafely(file.name, SHOWN_BYTES);
      return `its identity of ${name} is not the checkpoint's`;
    }
  }
  if (
    content.bytes.ceiling !== limits.ceilingBytes ||
    content.window.acquire_seconds !== limits.acquireSeconds ||
    content.window.window_seconds !== limits.windowSeconds
  ) return "its limits are not this program's";
  return null;
}

function accountFault(
  content: LedgerContent,
  limits: AcquisitionLimits,
): string | null {
  const { settled, reserved, ceiling } = content.bytes;
  const requests = content.files.flatMap((file) => file.requests);
  const counted = requests.reduce(
    (sum, request) => sum + request.payload_bytes + request.forfeited_bytes,
    0,
  );
  if (counted !== settled) {
    return `its account says ${settled} bytes and its requests ${counted}`;
  }
  if (settled + reserved > ceiling) return "its account is over the ceiling";
  if (reserved > limits.reservationBytes) return "it reserves too much at once";
  const open = requests.filter((request) => request.outcome === "open").length;
  if (open > 1 || (open === 0 && reserved > 0)) {
    return "its open requests and its reservation do not agree";
  }
  const many = content.files.find((file) =>
    file.requests.length > limits.requestsPerFile
  );
  if (many !== undefined) return `"${many.name}" has too many requests`;
  return null;
}

function windowFault(
  content: LedgerContent,
  folder: FolderFacts,
): string | null {
  const { opened_uptime_s, opened_wall_ms, seen_uptime_s } = content.window;
  const starts = content.files.flatMap((file) =>
    file.requests.map((request) => request.started_uptime_s)
  );
  if (content.core_trial !== null && content.core_trial.within_window) {
    starts.push(content.core_trial.reserved_uptime_s);
  }
  if (
    seen_uptime_s < opened_uptime_s ||
    starts.some((start) => start < opened_uptime_s || start > seen_uptime_s)
  ) return "its times contradict each other";
  // A copied folder is younger than its window; only an older one betrays a
  // window that was moved.
  if (
    folder.birthMs !== null &&
    opened_wall_ms > folder.birthMs + BIRTH_TOLERANCE_MS
  ) return "its window began after its folder was made";
  return null;
}

function folderFault(
  content: LedgerContent,
  folder: FolderFacts,
): string | null {
  for (const file of content.files) {
    const part = folder.partBytes(file.name);
    const received = file.requests.reduce(
      (sum, request) => sum + request.payload_bytes + request.forfeited_bytes,
      0,
    );
    const open = file.requests.some((request) => request.outcome === "open");
    const most = received + (open ? content.bytes.reserved : 0);
    // A partial copy is no evidence of a request; it is never continued.
    if (part !== null && part > most && file.origin !== "copy") {
      return `"${file.name}.part" is longer than what the ledger counts for it`;
    }
    if (
      folder.isPublished(file.name) && file.requests.length === 0 &&
      file.origin !== "copy"
    ) return `"${file.name}" is there although nothing was requested`;
  }
  return null;
}

function statusFault(content: LedgerContent): string | null {
  const all = content.files.every((file) => file.status === "verified");
  if (
    content.status === "verified" && !all ||
    content.status === "open" && all
  ) {
    return "its status and those of its files do not agree";
  }
  if (
    (content.status === "verified") !== (content.verified_uptime_s !== null)
  ) {
    return "its status and the time of its verification do not agree";
  }
  // An acquisition that ended may be completed by a copy; its end stays on record.
  if (
    content.status === "ended" && content.end === null ||
    content.status === "open" && content.end !== null
  ) return "its status and its end do not agree";
  for (const file of content.files) {
    const { status, expected_bytes, expected_sha256, expected_git_blob_sha1 } =
      file;
    if (status !== "verified") continue;
    if (
      file.origin === null || file.observed_bytes !== expected_bytes ||
      file.observed_sha256 === null ||
      (expected_sha256 !== null && file.observed_sha256 !== expected_sha256) ||
      (expected_git_blob_sha1 !== null &&
        file.observed_git_blob_sha1 !== expected_git_blob_sha1)
    ) return `its record of "${file.name}" does not show a verified file`;
  }
  return null;
}
