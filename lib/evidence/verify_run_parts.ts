// What the steps of a verification hand on to each other.

import type { JsonObject } from "../agent/json.ts";
import type { Witness } from "../agent/witness.ts";
import type { Files } from "../system/files.ts";
import type { Sha256 } from "../system/sha256.ts";
import type { Manifest } from "./manifest.ts";
import type { CheckList } from "./verify_report.ts";
import type { TaskVerification } from "./verify.ts";

/** One run while it is verified. */
export interface VerifiedRun {
  readonly files: Files;
  readonly folder: string;
  readonly manifest: Manifest;
  /** Digest of the manifest's bytes. */
  readonly digest: Sha256;
  readonly task: TaskVerification;
  readonly witnesses: readonly Witness[];
  readonly checks: CheckList;
}

/** The final report as it lies in the folder, before anything is known of it. */
export interface PublishedFinal {
  readonly bytes: Uint8Array;
  readonly value: JsonObject;
  readonly recovered: boolean;
}
