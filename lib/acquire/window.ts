// Lab Part 1: 30 minutes for acquisition and trial together, 20 of them for
// acquiring, by a monotonic clock. Across commands that clock is the machine's
// uptime. Every doubt shortens the window: one second is always counted against
// it, since uptime comes in whole seconds, and what has ended stays ended.

import type { BootFacts } from "../system/resources.ts";
import type { AcquisitionLimits } from "./limits.ts";

/** Why a window is over. */
export type WindowEnd = "elapsed" | "reboot" | "clock_moved";

/** A window as the ledger keeps it. */
export interface AcquisitionWindow {
  /** Uptime when it opened, in seconds. */
  readonly opened_uptime_s: number;
  /** Wall time when it opened, in milliseconds since 1970. */
  readonly opened_wall_ms: number;
  /** Highest uptime seen so far, in seconds. */
  readonly seen_uptime_s: number;
  /** Why it is over; null while it isn't known to be. */
  readonly ended: WindowEnd | null;
}

/** What is left of a window, in milliseconds; 0 when it is over. */
export interface WindowRest {
  /** For transfer. */
  readonly acquireMs: number;
  /** For everything, the trial included. */
  readonly windowMs: number;
}

/** How much the machine's start may seem to move, in milliseconds. */
export const BOOT_TOLERANCE_MS = 120_000;

/** Opens a window now. */
export function openWindow(now: BootFacts): AcquisitionWindow {
  return {
    opened_uptime_s: now.uptimeSeconds,
    opened_wall_ms: now.wallMs,
    seen_uptime_s: now.uptimeSeconds,
    ended: null,
  };
}

/**
 * The window as it is now: what it had seen before, and what can be seen.
 *
 * An uptime smaller than recorded means that the machine restarted. Where the
 * uptime grew but the start seems to have moved, it restarted or its clock was
 * set; those can't be told apart.
 */
export function observeWindow(
  window: AcquisitionWindow,
  now: BootFacts,
  limits: AcquisitionLimits,
): AcquisitionWindow {
  if (window.ended !== null) return window;
  return {
    ...window,
    seen_uptime_s: Math.max(window.seen_uptime_s, now.uptimeSeconds),
    ended: windowEnd(window, now, limits),
  };
}

/** What is left of a window. */
export function windowRest(
  window: AcquisitionWindow,
  now: BootFacts,
  limits: AcquisitionLimits,
): WindowRest {
  if (observeWindow(window, now, limits).ended !== null) {
    return { acquireMs: 0, windowMs: 0 };
  }
  const elapsed = elapsedSeconds(window, now);
  return {
    acquireMs: Math.max(0, limits.acquireSeconds - elapsed) * 1000,
    windowMs: Math.max(0, limits.windowSeconds - elapsed) * 1000,
  };
}

/** Why a window is over, as a clause. */
export function windowEndText(end: WindowEnd): string {
  switch (end) {
    case "elapsed":
      return "its 30 minutes have passed";
    case "reboot":
      return "the machine was restarted since it began";
    case "clock_moved":
      return "the machine was restarted, or its clock set, since it began";
  }
}

function windowEnd(
  window: AcquisitionWindow,
  now: BootFacts,
  limits: AcquisitionLimits,
): WindowEnd | null {
  if (now.uptimeSeconds < window.seen_uptime_s) return "reboot";
  const started = window.opened_wall_ms - window.opened_uptime_s * 1000;
  const moved = now.wallMs - now.uptimeSeconds * 1000 - started;
  if (Math.abs(moved) > BOOT_TOLERANCE_MS) return "clock_moved";
  return elapsedSeconds(window, now) >= limits.windowSeconds ? "elapsed" : null;
}

function elapsedSeconds(window: AcquisitionWindow, now: BootFacts): number {
  return now.uptimeSeconds - window.opened_uptime_s + 1;
}
