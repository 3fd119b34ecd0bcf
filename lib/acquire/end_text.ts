// The result of an acquisition, as a person and as a program reads it.

import type { JsonObject } from "../agent/json.ts";
import { counted } from "../system/counted.ts";
import type { BootFacts } from "../system/resources.ts";
import type { AcquisitionEnd } from "./acquisition.ts";
import type { LedgerContent } from "./ledger_format.ts";
import { LAB_LIMITS } from "./limits.ts";
import { windowRest } from "./window.ts";
import { grouped } from "./wrong_content.ts";

/** The result as JSON, with stable field names. */
export function acquisitionJson(
  { refusal, ledger }: AcquisitionEnd,
  directory: string,
  now: BootFacts,
): JsonObject {
  return {
    ok: refusal === null,
    directory,
    ...(refusal === null ? {} : {
      error: refusal.code,
      what: refusal.what,
      why: refusal.why,
      next: refusal.next,
    }),
    ...(ledger === null ? {} : {
      status: ledger.status,
      pinned: ledger.pinned,
      label: ledger.label,
      files: ledger.files.map((file) => ({
        name: file.name,
        status: file.status,
        origin: file.origin,
        bytes: file.observed_bytes,
        sha256: file.observed_sha256,
        git_blob_sha1: file.observed_git_blob_sha1,
        requests: file.requests.length,
      })),
      payload_bytes: ledger.bytes.settled,
      payload_ceiling: ledger.bytes.ceiling,
      window_left_seconds: Math.floor(
        windowRest(ledger.window, now, LAB_LIMITS).windowMs / 1_000,
      ),
    }),
  };
}

/** What a person is told of a verified model folder. */
export function acquisitionText(
  ledger: LedgerContent,
  directory: string,
  now: BootFacts,
): string {
  const total = ledger.files.reduce(
    (sum, file) => sum + file.expected_bytes,
    0,
  );
  const minutes = Math.floor(
    windowRest(ledger.window, now, LAB_LIMITS).windowMs / 60_000,
  );
  const lines = [
    `Verified: ${counted(ledger.files.length, "file")}, ` +
    `${counted(total, "byte")} in "${directory}".`,
    `Payload counted: ${grouped(ledger.bytes.settled)} of ` +
    `${grouped(ledger.bytes.ceiling)} bytes.`,
    minutes > 0
      ? `Window: ${counted(minutes, "minute")} left for the trial.`
      : "Window: over; a trial on this folder has its own ten minutes.",
  ];
  if (ledger.pinned && ledger.core_trial === null) {
    lines.push(
      `The one core trial: tinycoder --run trial --model-directory ${directory}`,
    );
  }
  return `${lines.join("\n")}\n`;
}
