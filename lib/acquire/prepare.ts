// Lab Part 1: what an acquisition would do is known, shown and checked before
// the user is asked, and nothing is created until the answer is yes.

import type { Files } from "../system/files.ts";
import type { Resources } from "../system/resources.ts";
import type { CheckpointPlan } from "./checkpoint_plan.ts";
import type { CopySource } from "./copy_files.ts";
import {
  type Destination,
  existingFolder,
  modelDestination,
} from "./destination.ts";
import { judgeExisting } from "./judge_existing.ts";
import type { AcquisitionLimits } from "./limits.ts";
import { type Attempted, refuse } from "./refusal.ts";
import { grouped } from "./wrong_content.ts";

/** What the user wants acquired, and the world to do it in. */
export interface AcquisitionRequest {
  /** The model folder as the user typed it. */
  readonly directory: string;
  /** A folder to copy from as the user typed it; null to download. */
  readonly from: string | null;
  readonly plan: CheckpointPlan;
  readonly limits: AcquisitionLimits;
  readonly files: Files;
  readonly resources: Resources;
}

/** An acquisition that could begin. */
export interface PreparedAcquisition {
  readonly request: AcquisitionRequest;
  readonly destination: Destination;
  readonly source: CopySource | null;
  /** Whether an earlier acquisition verified everything already. */
  readonly verified: boolean;
  /** Bytes that lie in the folder already. */
  readonly presentBytes: number;
  readonly freeDiskBytes: number;
  readonly availableMemoryBytes: number;
}

/**
 * Checks everything that can be checked before asking; creates nothing.
 *
 * @throws {CommandError} where a fresh folder may not be made there.
 */
export function prepareAcquisition(
  request: AcquisitionRequest,
): Attempted<{ readonly prepared: PreparedAcquisition }> {
  const { files, resources, plan } = request;
  const placed = modelDestination(files, request.directory);
  if (!placed.ok) return placed;
  const { destination } = placed;
  const copied = copySource(request, destination);
  if (!copied.ok) return copied;
  const { source } = copied;
  let verified = false;
  let presentBytes = 0;
  if (destination.kind === "existing") {
    const judged = judgeExisting(request, destination.path, source !== null);
    if (!judged.ok) return judged;
    ({ verified, presentBytes } = judged);
  }
  const freeDiskBytes = resources.freeDiskBytes(
    destination.kind === "existing"
      ? destination.path
      : destination.planned.parent,
  );
  const availableMemoryBytes = resources.availableMemoryBytes();
  const short = verified ? null : shortOf(
    plan,
    freeDiskBytes + presentBytes,
    availableMemoryBytes,
  );
  if (short !== null) {
    return refuse(
      "resources_insufficient",
      `Cannot acquire into "${request.directory}"`,
      short,
      "Free that much, or use another machine; nothing was created",
    );
  }
  return {
    ok: true,
    prepared: {
      request,
      destination,
      source,
      verified,
      presentBytes,
      freeDiskBytes,
      availableMemoryBytes,
    },
  };
}

function shortOf(
  plan: CheckpointPlan,
  diskBytes: number,
  memoryBytes: number,
): string | null {
  if (diskBytes < plan.diskBytes) {
    return `${grouped(plan.diskBytes)} bytes of free disk are needed and ` +
      `${grouped(diskBytes)} are there`;
  }
  return memoryBytes < plan.memoryBytes
    ? `a trial needs about ${grouped(plan.memoryBytes)} bytes of memory and ` +
      `${grouped(memoryBytes)} are available`
    : null;
}

function copySource(
  { files, directory, from }: AcquisitionRequest,
  destination: Destination,
): Attempted<{ readonly source: CopySource | null }> {
  if (from === null) return { ok: true, source: null };
  const what = "Cannot copy from the folder";
  const fail = (why: string) =>
    refuse(
      "copy_refused",
      `${what} "${from}"`,
      why,
      "Give the folder below the current one that holds the files",
    );
  const found = existingFolder(files, from, what);
  if (!found.ok) return found;
  if (found.path === null) return fail("there is no such folder");
  const target = destination.kind === "existing"
    ? destination.path
    : destination.planned.path;
  return found.path === target
    ? fail(`it is the model folder "${directory}" itself`)
    : { ok: true, source: { folder: found.path, shownAs: from } };
}
