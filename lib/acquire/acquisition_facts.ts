// Lab Part 10: what the record of a core trial keeps of its acquisition.

import type { Sha256 } from "../system/sha256.ts";
import { contentSeal, type LedgerContent } from "./ledger_format.ts";

/** An acquisition, as the manifest of its core trial tells it. */
export type AcquisitionFacts = {
  /** Seal of the ledger, the trial's reservation included. */
  readonly ledger_sha256: Sha256;
  /**
   * From the opening of the window to the last file's verification, in seconds;
   * null where the machine was restarted between, so that no clock knows.
   */
  readonly elapsed_s: number | null;
  /** Payload counted over all requests, in bytes; 0 where all was copied. */
  readonly payload_bytes: number;
  /** Whether the trial began inside the acquisition's window. */
  readonly within_window: boolean;
};

/** What a ledger tells of its acquisition once its core trial is reserved. */
export function acquisitionFacts(ledger: LedgerContent): AcquisitionFacts {
  const { window, verified_uptime_s, bytes, core_trial } = ledger;
  if (verified_uptime_s === null || core_trial === null) {
    throw new TypeError("Only a verified folder has a core trial");
  }
  const elapsed = verified_uptime_s - window.opened_uptime_s;
  return {
    ledger_sha256: contentSeal(ledger),
    elapsed_s: elapsed < 0 ? null : elapsed,
    payload_bytes: bytes.settled,
    within_window: core_trial.within_window,
  };
}
