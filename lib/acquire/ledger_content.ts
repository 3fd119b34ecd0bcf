// The ledger's content as values: each change makes a new one, so that what is
// on the disk is always one of them.

import type { BootFacts } from "../system/resources.ts";
import type { CheckpointPlan, PlannedFile } from "./checkpoint_plan.ts";
import type { ObservedIdentity } from "./file_digest.ts";
import type { LedgerContent, LedgerFile, OptIn } from "./ledger_format.ts";
import type { AcquisitionLimits } from "./limits.ts";
import { openWindow } from "./window.ts";

/** A ledger in which nothing has happened but the opt-in. */
export function newLedgerContent(
  plan: CheckpointPlan,
  limits: AcquisitionLimits,
  now: BootFacts,
  optIn: OptIn,
): LedgerContent {
  return {
    format: "tinycoder-acquisition",
    version: 1,
    label: plan.label,
    pinned: plan.pinned,
    repository: plan.repository,
    revision: plan.revision,
    license: plan.license,
    opt_ins: [optIn],
    window: {
      ...openWindow(now),
      acquire_seconds: limits.acquireSeconds,
      window_seconds: limits.windowSeconds,
    },
    bytes: { ceiling: limits.ceilingBytes, settled: 0, reserved: 0 },
    files: plan.files.map(newLedgerFile),
    status: "open",
    verified_uptime_s: null,
    end: null,
    core_trial: null,
  };
}

function newLedgerFile(file: PlannedFile): LedgerFile {
  return {
    name: file.name,
    url: file.url,
    expected_bytes: file.bytes,
    expected_sha256: file.identity.sha256 ?? null,
    expected_git_blob_sha1: file.identity.gitBlobSha1 ?? null,
    status: "pending",
    origin: null,
    observed_bytes: null,
    observed_sha256: null,
    observed_git_blob_sha1: null,
    requests: [],
  };
}

/** The line of one file. */
export function ledgerFile(content: LedgerContent, name: string): LedgerFile {
  const file = content.files.find((file) => file.name === name);
  if (file === undefined) throw new Error(`The ledger has no file "${name}"`);
  return file;
}

/** Changes one file's line. */
export function withFile(
  content: LedgerContent,
  name: string,
  change: (file: LedgerFile) => Partial<LedgerFile>,
): LedgerContent {
  return {
    ...content,
    files: content.files.map((file) =>
      file.name === name ? { ...file, ...change(file) } : file
    ),
  };
}

/** Records what a file's bytes came to. */
export function withObserved(
  content: LedgerContent,
  name: string,
  observed: ObservedIdentity,
): LedgerContent {
  return withFile(content, name, () => ({
    observed_bytes: observed.bytes,
    observed_sha256: observed.sha256,
    observed_git_blob_sha1: observed.gitBlobSha1,
  }));
}

/** Records that a file is verified under its final name. */
export function withVerified(
  content: LedgerContent,
  name: string,
  observed: ObservedIdentity,
  origin: "hub" | "copy",
): LedgerContent {
  const changed = withFile(
    withObserved(content, name, observed),
    name,
    () => ({ status: "verified", origin }),
  );
  return changed.files.every((file) => file.status === "verified")
    ? { ...changed, status: "verified" }
    : changed;
}

/**
 * Closes what a killed process left open. Its reservation is forfeited: nobody
 * knows how much of it had been sent.
 */
export function withoutOpenRequests(content: LedgerContent): LedgerContent {
  const { reserved, settled, ceiling } = content.bytes;
  return {
    ...content,
    bytes: { ceiling, settled: settled + reserved, reserved: 0 },
    files: content.files.map((file) => ({
      ...file,
      requests: file.requests.map((request) =>
        request.outcome !== "open" ? request : {
          ...request,
          outcome: "interrupted" as const,
          forfeited_bytes: request.forfeited_bytes + reserved,
          detail: "the process ended during the transfer",
        }
      ),
    })),
  };
}

/** Bytes that the account still allows to reserve. */
export function unreservedBytes(content: LedgerContent): number {
  const { ceiling, settled, reserved } = content.bytes;
  return Math.max(0, ceiling - settled - reserved);
}
