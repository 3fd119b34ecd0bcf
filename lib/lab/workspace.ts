// Lab Parts 3 and 5: the managed files on disk. Nothing here decides what an
// action may do; it confirms what the controller's state says, or tells what it
// found instead. No path is ever built from a proposal.

import type { StopWord } from "../agent/gate.ts";
import { readContained } from "../system/contained_file.ts";
import {
  createWhole,
  errorCode,
  type Files,
  requireInPlace,
} from "../system/files.ts";
import { type Sha256, sha256 } from "../system/sha256.ts";
import { MAX_SOURCE_BYTES } from "./expression/limits.ts";
import type { EditFault, FileChange, FoundBytes } from "./lab_events.ts";
import {
  INITIAL_SOURCE,
  type ManagedFile,
  TASK_TEXT,
} from "./managed_files.ts";

/** Digests that the managed files must have. */
export interface ExpectedFiles {
  readonly task: Sha256;
  readonly source: Sha256;
}

/** One edit, fully prepared. */
export interface PreparedEdit {
  readonly oldVersion: number;
  readonly expected: ExpectedFiles;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** The managed files of one run. */
export interface Workspace {
  /** The first managed file that isn't as recorded, or null. */
  inspect(expected: ExpectedFiles): FileChange | null;
  /** Keeps the old bytes, exclusively and flushed. */
  backUp(edit: PreparedEdit): EditFault | null;
  /**
   * Puts the new bytes in place. `stop` is asked once, immediately before the
   * rename. Never tries twice: a fault is answered by looking.
   */
  commit(edit: PreparedEdit, stop: () => StopWord | null): EditFault | null;
}

/** Folder of the managed files, below the run's. */
export const WORKSPACE_FOLDER = "workspace";
/** Folder of the old versions, below the run's. */
export const BACKUP_FOLDER = "backups";

/** Name of the backup of one version. */
export function backupName(version: number): string {
  return `toy_math.py.v${version}`;
}

/** Name of the temporary file of the edit that follows one version. */
export function temporaryName(oldVersion: number): string {
  return `.toy_math.py.v${oldVersion + 1}.tmp`;
}

/** Creates the fresh, broken workspace of lab Part 3 in a run's folder. */
export function createWorkspace(files: Files, runFolder: string): void {
  const encoder = new TextEncoder();
  const folder = `${runFolder}/${WORKSPACE_FOLDER}`;
  files.makeFolder(folder);
  createWhole(files, `${folder}/TASK.txt`, encoder.encode(TASK_TEXT));
  createWhole(files, `${folder}/toy_math.py`, encoder.encode(INITIAL_SOURCE));
  files.syncFolder(folder);
  files.makeFolder(`${runFolder}/${BACKUP_FOLDER}`);
  files.syncFolder(runFolder);
}

/**
 * The managed files in a run's folder.
 *
 * @param runFolder The run folder's real path.
 */
export function openWorkspace(files: Files, runFolder: string): Workspace {
  const folder = `${runFolder}/${WORKSPACE_FOLDER}`;
  const backups = `${runFolder}/${BACKUP_FOLDER}`;

  const changed = (file: ManagedFile, digest: Sha256): FileChange | null => {
    const read = readContained(files, folder, file, MAX_SOURCE_BYTES);
    if (!read.ok) return { file, finding: read.finding, sha256: null };
    const found = sha256(read.bytes);
    return found === digest
      ? null
      : { file, finding: "bytes_changed", sha256: found };
  };

  const inspect = (expected: ExpectedFiles): FileChange | null =>
    changed("TASK.txt", expected.task) ??
      changed("toy_math.py", expected.source);

  const look = (edit: PreparedEdit): FoundBytes => {
    try {
      const { task, source } = edit.expected;
      if (inspect({ task, source }) === null) return "before";
      if (inspect({ task, source: sha256(edit.after) }) === null) {
        return "after";
      }
    } catch {
      // Unreadable now is as good as changed: nothing can be claimed of it.
    }
    return "other";
  };

  // What an edit that isn't committed leaves is evidence too, and must still be
  // there after a power cut; where it can't be flushed, the fault says enough.
  const keepEntries = (): void => {
    try {
      files.syncFolder(folder);
    } catch {
      // It is one more sign of the same disk.
    }
  };

  return {
    inspect,

    backUp(edit) {
      try {
        requireInPlace(files, backups);
        const path = `${backups}/${backupName(edit.oldVersion)}`;
        createWhole(files, path, edit.before);
        files.syncFolder(backups);
        return null;
      } catch (error) {
        return {
          step: "backup",
          cause: "io",
          error: errorCode(error),
          found: look(edit),
        };
      }
    },

    commit(edit, stop) {
      const temporary = `${folder}/${temporaryName(edit.oldVersion)}`;
      const target = `${folder}/toy_math.py`;
      let step: EditFault["step"] = "temporary";
      const fault = (cause: EditFault["cause"], error: string | null) => {
        keepEntries();
        return { step, cause, error, found: look(edit) };
      };
      try {
        requireInPlace(files, folder);
        createWhole(files, temporary, edit.after);
        step = "recheck";
        if (inspect(edit.expected) !== null) {
          return fault("target_changed", null);
        }
        const word = stop();
        if (word !== null) return fault(word, null);
        step = "rename";
        files.rename(temporary, target);
        step = "sync";
        files.syncFolder(folder);
        step = "read_back";
        const after = { ...edit.expected, source: sha256(edit.after) };
        return inspect(after) === null ? null : fault("target_changed", null);
      } catch (error) {
        return fault("io", errorCode(error));
      }
    },
  };
}
