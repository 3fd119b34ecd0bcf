// How an acquisition ended is read from its ledger, which somebody else may have
// written and sealed.

import { showSafely } from "../system/safe_text.ts";
import type { LedgerContent } from "./ledger_format.ts";

/** Most characters of an end that are shown. */
const SHOWN = 600;

/** That an acquisition ended, and why, as a clause that is safe to show. */
export function earlierEnd(
  { what, why }: NonNullable<LedgerContent["end"]>,
): string {
  const text = `${what}: ${why}`;
  const cut = text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
  return `ended for good: ${showSafely(cut)}`;
}
