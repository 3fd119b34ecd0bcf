// What `tinycoder doctor` finds of a model's folder.

import { LEDGER_NAME } from "../acquire/checkpoint_plan.ts";
import { existingFolder } from "../acquire/destination.ts";
import { readLedger } from "../acquire/ledger.ts";
import { earlierEnd } from "../acquire/earlier_end.ts";
import { bringBack } from "../acquire/file_fault.ts";
import type { LedgerContent } from "../acquire/ledger_format.ts";
import { LAB_LIMITS } from "../acquire/limits.ts";
import { spoiledEntry, unexpectedEntry } from "../acquire/model_folder.ts";
import { windowRest } from "../acquire/window.ts";
import { asClause } from "../evidence/evidence_files.ts";
import { verifyCheckpoint } from "../model/checkpoint_files.ts";
import type { CheckpointManifest } from "../model/checkpoint_manifest.ts";
import { ModelRefusal } from "../model/model_refusal.ts";
import { diskFiles } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { machineResources } from "../system/resources.ts";
import { shellWord } from "../system/shell_word.ts";
import { systemWords } from "../system/system_words.ts";
import type { DeclaredTrial } from "./declared_plan.ts";

/** One thing that was looked at. */
export interface DoctorFinding {
  readonly about: string;
  /** `stop` would stop a trial. */
  readonly verdict: "ok" | "note" | "stop";
  readonly found: string;
  /** What to do about it; null where nothing is to be done. */
  readonly next: string | null;
}

/** Files that a run's folder has. */
const RUN_MARKS: readonly string[] = ["audit.jsonl", "manifest.json"];

/**
 * Looks at a model folder, and changes nothing.
 *
 * @param directory As the user typed it; null where none was named.
 */
export function modelFolderFindings(
  { manifest, planned }: DeclaredTrial,
  directory: string | null,
): DoctorFinding[] {
  const about = "Model folder";
  if (directory === null) {
    return [{
      about,
      verdict: "note",
      found: "none was named",
      next: "Name it to have it checked: --model-directory DIR",
    }];
  }
  const stop = (found: string, next: string): DoctorFinding[] => [
    { about, verdict: "stop", found, next },
  ];
  const word = shellWord(directory);
  const acquireFirst = planned.ok
    ? `Acquire it: tinycoder acquire --directory ${word}`
    : "Make it, and put the declared files into it";
  if (directory === "") {
    return stop("its name is empty", "Name it: --model-directory DIR");
  }
  try {
    const placed = existingFolder(diskFiles, directory, "Cannot look into");
    if (!placed.ok) return stop(placed.refusal.why, placed.refusal.next);
    if (placed.path === null) return stop("it does not exist", acquireFirst);
    const folder = placed.path;
    const there = diskFiles.list(folder);
    if (there.some((name) => RUN_MARKS.includes(name))) {
      return stop("this is a run's folder", "Choose another");
    }
    // Only a core trial asks for a ledger: an extension's files are compared.
    if (!planned.ok || (!manifest.pinned && !there.includes(LEDGER_NAME))) {
      const why = checkpointFault(folder, manifest);
      if (why !== null) return stop(why, "Put the declared files into it");
      const found = `${manifest.files.length} files as declared`;
      return [{ about, verdict: "ok", found, next: null }];
    }
    const { plan } = planned;
    const odd = unexpectedEntry(diskFiles, folder, plan);
    if (odd !== null) {
      return there.includes(LEDGER_NAME) ? stop(odd, "Take it away") : stop(
        `it is no model folder: it has no ${LEDGER_NAME}, and ${odd}`,
        "Choose another",
      );
    }
    const read = readLedger({
      files: diskFiles,
      folder,
      shownAs: directory,
      plan,
      limits: LAB_LIMITS,
    });
    const spoiled = read.ok
      ? spoiledEntry(diskFiles, folder, read.content)
      : null;
    if (spoiled !== null) return stop(spoiled, bringBack(directory));
    return read.ok ? ledgerFindings(read.content, directory) : stop(
      `its ledger cannot be used: ${read.why}`,
      "Bring its files into a new folder: tinycoder acquire --directory NEW " +
        `--from ${word}`,
    );
  } catch (error) {
    const denied = error instanceof Deno.errors.NotCapable;
    return stop(
      denied
        ? systemWords(error).why
        : `it can't be looked at: ${readWords(error)}`,
      denied
        ? "Start tinycoder in an ordinary folder"
        : "Make it readable for this user",
    );
  }
}

/** What a trial would say of a folder's files, as a clause; null if nothing. */
function checkpointFault(
  folder: string,
  manifest: CheckpointManifest,
): string | null {
  try {
    verifyCheckpoint(folder, manifest).close();
    return null;
  } catch (error) {
    if (!(error instanceof ModelRefusal)) throw error;
    return asClause(error.message);
  }
}

function ledgerFindings(
  content: LedgerContent,
  directory: string,
): DoctorFinding[] {
  const word = shellWord(directory);
  const now = machineResources.bootFacts();
  const { acquireMs, windowMs } = windowRest(content.window, now, LAB_LIMITS);
  const verified = content.files.filter(({ status }) => status === "verified");
  const complete = content.status === "verified";
  const used = content.core_trial;
  return [
    {
      about: "Model folder",
      verdict: complete ? "ok" : "stop",
      found: content.end === null
        ? `${verified.length} of ${content.files.length} files verified`
        : earlierEnd(content.end),
      next: complete
        ? null
        : acquireMs > 0 && content.end === null
        ? `Go on: tinycoder acquire --directory ${word}`
        : `Bring the files: tinycoder acquire --directory ${word} --from DIR`,
    },
    {
      about: "Window",
      verdict: windowMs > 0 ? "ok" : "note",
      found: windowMs > 0
        ? `${Math.floor(windowMs / 60_000)} of 30 minutes left`
        : "over; a trial has its own ten minutes, and is recorded as that",
      next: null,
    },
    {
      about: "Core trial",
      verdict: used === null ? "ok" : "note",
      found: used === null ? "not used yet" : `used by run ${used.run_id}`,
      next: used === null
        ? null
        : "Declare what is different in a further trial: --extension TEXT",
    },
  ];
}
