// Lab Parts 1 and 10: one core trial an acquired folder, inside the acquisition's
// window as far as there is any of it left. The reservation is durable before
// anything is loaded; a trial that fails has used it.

import type { Files } from "../system/files.ts";
import type { Resources } from "../system/resources.ts";
import { quoteSafely } from "../system/safe_text.ts";
import { shellWord } from "../system/shell_word.ts";
import { type CheckpointPlan, LEDGER_NAME } from "./checkpoint_plan.ts";
import { diskRefusal } from "./disk_refusal.ts";
import { bringBack } from "./file_fault.ts";
import type { LedgerContent } from "./ledger_format.ts";
import { Ledger } from "./ledger.ts";
import type { AcquisitionLimits } from "./limits.ts";
import { spoiledEntry } from "./model_folder.ts";
import { type Attempted, refuse } from "./refusal.ts";
import { observeWindow, windowRest } from "./window.ts";

/** Most bytes of a typed folder in a message. */
const MAX_SHOWN = 240;

/** A trial's time of its own, in milliseconds (lab Part 1). */
export const TRIAL_MS = 10 * 60 * 1000;

/** A core trial that is about to begin. */
export interface CoreTrialRequest {
  readonly files: Files;
  readonly resources: Resources;
  /** Real path of the model folder. */
  readonly folder: string;
  /** The folder as the user calls it. */
  readonly shownAs: string;
  readonly plan: CheckpointPlan;
  readonly limits: AcquisitionLimits;
  readonly runId: string;
}

/** A core trial that was reserved. */
export interface CoreTrialReservation {
  /** How long the trial may take, in milliseconds. */
  readonly runMs: number;
  /** The ledger, with the reservation in it. */
  readonly ledger: LedgerContent;
}

/** Reserves a folder's one core trial, durably. */
export function reserveCoreTrial(
  request: CoreTrialRequest,
): Attempted<{ readonly reservation: CoreTrialReservation }> {
  const { resources, limits, shownAs } = request;
  const what = `Cannot begin the core trial on "${shownAs}"`;
  const now = resources.bootFacts();
  try {
    if (request.files.facts(`${request.folder}/${LEDGER_NAME}`) === null) {
      return refuse(
        "no_ledger",
        what,
        `it has no ${LEDGER_NAME}, so its window and its trials are unknown`,
        'Bring its files into a new folder: "tinycoder acquire --directory NEW ' +
          `--from ${shellWord(shownAs)}"`,
      );
    }
    const opened = Ledger.open(request, () => now.uptimeSeconds);
    if (!opened.ok) return opened;
    const { ledger } = opened;
    try {
      const fault = trialFault(ledger.content, what) ??
        spoiledFault(request, ledger.content);
      if (fault !== null) return fault;
      const window = observeWindow(ledger.content.window, now, limits);
      const { windowMs } = windowRest(window, now, limits);
      const withinWindow = windowMs > 0;
      ledger.update((content) => ({
        ...content,
        window: { ...content.window, ...window },
        core_trial: {
          run_id: request.runId,
          reserved_uptime_s: now.uptimeSeconds,
          reserved_wall_ms: now.wallMs,
          within_window: withinWindow,
        },
      }));
      return {
        ok: true,
        reservation: {
          runMs: withinWindow ? Math.min(TRIAL_MS, windowMs) : TRIAL_MS,
          ledger: ledger.content,
        },
      };
    } finally {
      ledger.close();
    }
  } catch (error) {
    return { ok: false, refusal: diskRefusal(error, shownAs) };
  }
}

/** Why a folder's core trial can't begin, as its files stand; null if it can. */
export function spoiledFault(
  { files, folder, shownAs }: Pick<
    CoreTrialRequest,
    "files" | "folder" | "shownAs"
  >,
  content: LedgerContent,
): ReturnType<typeof refuse> | null {
  const spoiled = spoiledEntry(files, folder, content);
  return spoiled === null ? null : refuse(
    "not_verified",
    `Cannot begin the core trial on ${quoteSafely(shownAs, MAX_SHOWN)}`,
    spoiled,
    bringBack(shownAs),
  );
}

/**
 * Why a folder's core trial can't begin, as its ledger stands; null if it can.
 *
 * @param what What could not be done, for the refusal.
 */
export function trialFault(
  content: LedgerContent,
  what: string,
): ReturnType<typeof refuse> | null {
  if (content.status !== "verified") {
    return refuse(
      "not_verified",
      what,
      "not all of its files are verified",
      'Complete it first: "tinycoder acquire --directory DIR"',
    );
  }
  if (!content.pinned) {
    return refuse(
      "core_trial_used",
      what,
      `the checkpoint "${content.label}" is a declared extension`,
      "Declare what is different: --extension TEXT",
    );
  }
  return content.core_trial === null ? null : refuse(
    "core_trial_used",
    what,
    `its one core trial was used by run ${content.core_trial.run_id}`,
    "Declare what is different this time: --extension TEXT",
  );
}
