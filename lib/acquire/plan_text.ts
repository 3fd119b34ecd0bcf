// Lab Parts 1 and 2: the acquisition plan as a person and as a program reads it.
// Pure: no network, no disk, the same every time.

import type { JsonObject } from "../agent/json.ts";
import { counted } from "../system/counted.ts";
import type { CheckpointPlan, PlannedFile } from "./checkpoint_plan.ts";
import { NET_PERMISSION } from "./host_rule.ts";
import { type AcquisitionLimits, MAX_REDIRECTS } from "./limits.ts";
import { grouped } from "./wrong_content.ts";

/** The plan as JSON, with stable field names. */
export function planJson(
  plan: CheckpointPlan,
  limits: AcquisitionLimits,
): JsonObject {
  return {
    label: plan.label,
    pinned: plan.pinned,
    repository: plan.repository,
    revision: plan.revision,
    license: plan.license,
    parameters: plan.parameters,
    files: plan.files.map((file) => ({
      name: file.name,
      bytes: file.bytes,
      sha256: file.identity.sha256 ?? null,
      git_blob_sha1: file.identity.gitBlobSha1 ?? null,
      url: file.url,
    })),
    total_bytes: plan.totalBytes,
    hosts: [...NET_PERMISSION],
    limits: {
      payload_bytes: limits.ceilingBytes,
      acquire_seconds: limits.acquireSeconds,
      window_seconds: limits.windowSeconds,
      idle_seconds: limits.idleMs / 1_000,
      requests_per_file: limits.requestsPerFile,
      redirects_per_request: MAX_REDIRECTS,
    },
    estimates: {
      free_disk_bytes: plan.diskBytes,
      available_memory_bytes: plan.memoryBytes,
    },
  };
}

/** The plan as a table with its limits and needs, and a final newline. */
export function planText(
  plan: CheckpointPlan,
  limits: AcquisitionLimits,
): string {
  return [
    filesText(plan),
    "Limits over all attempts",
    `  ${grouped(limits.ceilingBytes)} bytes of payload`,
    `  ${limits.acquireSeconds / 60} minutes, of the ` +
    `${limits.windowSeconds / 60} that acquisition and trial share`,
    `  ${limits.idleMs / 1_000} s without a byte`,
    "  one retry a file, and none after a mismatch",
    "",
    "Estimated needs",
    `  ${grouped(plan.diskBytes)} bytes of free disk`,
    `  ${grouped(plan.memoryBytes)} bytes of available memory for a trial`,
    "",
  ].join("\n");
}

/** What would be brought, and from where, with a final newline. */
export function filesText(plan: CheckpointPlan): string {
  const nameWidth = Math.max(...plan.files.map(({ name }) => name.length), 9);
  const row = (name: string, bytes: string, identity: string): string =>
    `  ${name.padEnd(nameWidth)}  ${bytes.padStart(13)}  ${identity}`.trimEnd();
  const prefix = plan.files[0]!.url.slice(0, -plan.files[0]!.name.length);
  return [
    `${plan.repository} at revision`,
    `${plan.revision} (${plan.license}${parametersText(plan)})`,
    "",
    row("File", "Bytes", "Identity"),
    ...plan.files.map((file) =>
      row(file.name, grouped(file.bytes), identityText(file))
    ),
    row(counted(plan.files.length, "file"), grouped(plan.totalBytes), ""),
    "",
    "Each file comes from this address, followed by its name, or from a storage",
    "host below huggingface.co or hf.co that the hub names:",
    `  ${prefix}`,
    "Retrieval is anonymous: no token, cookie or proxy takes part.",
    "",
  ].join("\n");
}

function parametersText(plan: CheckpointPlan): string {
  return plan.parameters === 0
    ? ""
    : `, ${grouped(plan.parameters)} parameters`;
}

function identityText({ identity }: PlannedFile): string {
  return identity.sha256 === undefined
    ? `Git blob ${identity.gitBlobSha1}`
    : `SHA-256 ${identity.sha256}`;
}
