// The final report, recomputed and compared byte for byte; the head and the count
// in it show a cut audit.

import type { JsonObject } from "../agent/json.ts";
import { AUDIT_NAME } from "./audit_writer.ts";
import { FINAL_NAME, finalBytes } from "./final_report.ts";
import { firstDifference } from "./first_difference.ts";
import { RECOVERY_NAME } from "./recovery_records.ts";
import { sameBytes } from "./verify_manifest.ts";
import type { PublishedFinal, VerifiedRun } from "./verify_run_parts.ts";

const ROW = "final report";

/** A digest over other bytes; which of both was altered, it doesn't say. */
const CHAIN_ENDS: Readonly<Record<string, string>> = {
  "audit.head": brokenEnd(AUDIT_NAME),
  "recovery.head": brokenEnd(RECOVERY_NAME),
};

function brokenEnd(chain: string): string {
  return `Either the last line of ${chain} or this field was altered; ` +
    "expected is the digest of that line as it is";
}

/**
 * Compares the published final report with the one that follows.
 *
 * @throws {Refuted} where they differ.
 */
export function verifyFinal(
  { checks }: VerifiedRun,
  published: PublishedFinal,
  report: JsonObject,
): void {
  const difference = firstDifference(report, published.value);
  if (difference !== null) {
    const { path, ...values } = difference;
    throw checks.refute(ROW, {
      file: FINAL_NAME,
      message: CHAIN_ENDS[path] ??
        "It isn't the report that follows from the audit",
      field: path,
      ...values,
    });
  }
  if (!sameBytes(finalBytes(report), published.bytes)) {
    throw checks.refute(ROW, {
      file: FINAL_NAME,
      message: "It isn't laid out as this program writes it",
    });
  }
  checks.count(ROW, Object.keys(report).length);
  checks.close(ROW);
}
