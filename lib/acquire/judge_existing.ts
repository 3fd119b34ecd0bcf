// A second command on the same folder continues the same window,
// budget and retries, or says at once which of them is used up.

import type { Files } from "../system/files.ts";
import { LEDGER_NAME, PART_SUFFIX } from "./checkpoint_plan.ts";
import { earlierEnd } from "./earlier_end.ts";
import { beginAgain, copyInstead } from "./file_fault.ts";
import { unreservedBytes } from "./ledger_content.ts";
import type { LedgerContent, LedgerFile } from "./ledger_format.ts";
import { Ledger, readLedger } from "./ledger.ts";
import { spoiledEntry, unexpectedEntry } from "./model_folder.ts";
import type { AcquisitionRequest } from "./prepare.ts";
import { type Attempted, refuse } from "./refusal.ts";
import {
  type AcquisitionWindow,
  observeWindow,
  windowEndText,
  windowRest,
} from "./window.ts";
import { grouped } from "./wrong_content.ts";

/** What may be done with a folder that an earlier acquisition made. */
export interface JudgedFolder {
  /** Whether everything is verified and still there. */
  readonly verified: boolean;
  /** Bytes of the files that are there, complete or not. */
  readonly presentBytes: number;
}

/**
 * Judges an own earlier folder. A window that is found to be over is written
 * down as that; nothing else is changed.
 *
 * @param copies Whether missing files are to be copied: neither window, budget
 *   nor retries stand against that.
 */
export function judgeExisting(
  request: AcquisitionRequest,
  folder: string,
  copies: boolean,
): Attempted<JudgedFolder> {
  const { files, plan, limits, directory: shownAs } = request;
  const what = `Cannot acquire into "${shownAs}"`;
  const odd = unexpectedEntry(files, folder, plan);
  if (odd !== null) {
    return refuse(
      "unexpected_file",
      what,
      odd,
      "Take it away, or use a new folder",
    );
  }
  const read = readLedger({ files, folder, shownAs, plan, limits });
  if (!read.ok) {
    return refuse(
      "ledger_refused",
      what,
      `its ${LEDGER_NAME} is not one that this program wrote: ${read.why}`,
      beginAgain(),
    );
  }
  const { content } = read;
  const presentBytes = content.files.reduce(
    (sum, file) => sum + present(files, folder, file),
    0,
  );
  const verified = content.status === "verified" &&
    spoiledEntry(files, folder, content) === null;
  if (verified || copies) return { ok: true, verified, presentBytes };
  const over = transferOver(request, content, folder);
  return over ?? { ok: true, verified, presentBytes };
}

/** Why nothing more may be downloaded into a folder, if so. */
function transferOver(
  request: AcquisitionRequest,
  content: LedgerContent,
  folder: string,
): ReturnType<typeof refuse> | null {
  const { files, limits, resources, directory: shownAs } = request;
  const what = `Cannot go on acquiring into "${shownAs}"`;
  if (content.end !== null) {
    return refuse(
      "ended_earlier",
      what,
      `it ${earlierEnd(content.end)}`,
      beginAgain(),
    );
  }
  const now = resources.bootFacts();
  const window = observeWindow(content.window, now, limits);
  if (window.ended !== null && content.window.ended === null) {
    keepEnd(request, folder, window);
  }
  if (windowRest(window, now, limits).acquireMs === 0) {
    return refuse(
      "window_over",
      what,
      window.ended === null || window.ended === "elapsed"
        ? "its 20 minutes for acquiring are over"
        : windowEndText(window.ended),
      copyInstead(shownAs),
    );
  }
  let needed = 0;
  for (const file of content.files) {
    const missing = file.expected_bytes - present(files, folder, file);
    if (missing <= 0) continue;
    needed += missing;
    if (file.requests.length >= limits.requestsPerFile) {
      return refuse(
        "retry_used",
        what,
        `the one retry of "${file.name}" is used up`,
        copyInstead(shownAs),
      );
    }
  }
  const left = unreservedBytes(content);
  return needed <= left ? null : refuse(
    "budget_exhausted",
    what,
    `${
      grouped(needed)
    } bytes are still needed, and the byte ceiling over all ` +
      `attempts leaves ${grouped(left)}`,
    copyInstead(shownAs),
  );
}

/** Writes down that a window is over, so that no later clock can reopen it. */
function keepEnd(
  { files, plan, limits, directory: shownAs }: AcquisitionRequest,
  folder: string,
  window: AcquisitionWindow,
): void {
  const opened = Ledger.open(
    { files, folder, shownAs, plan, limits },
    () => window.seen_uptime_s,
  );
  if (!opened.ok) return;
  try {
    opened.ledger.update((content) => ({
      ...content,
      window: { ...content.window, ended: window.ended },
    }));
  } finally {
    opened.ledger.close();
  }
}

function present(files: Files, folder: string, file: LedgerFile): number {
  const facts = files.facts(`${folder}/${file.name}`) ??
    files.facts(`${folder}/${file.name}${PART_SUFFIX}`);
  return Math.min(facts?.size ?? 0, file.expected_bytes);
}
