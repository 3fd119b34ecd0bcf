// The controller's files in a scenario: the disk's own, with the points at which
// somebody else acts between two operations, and with armed faults.

import { temporaryName, WORKSPACE_FOLDER } from "../../lab/workspace.ts";
import type { FileHandle, Files } from "../../system/files.ts";
import type { ArmedFaults } from "./faults.ts";
import type { Stage } from "./stage.ts";

const SOURCE = `${WORKSPACE_FOLDER}/toy_math.py`;
/** Matches the temporary file of any version's edit. */
const TEMPORARY = new RegExp(
  `^${WORKSPACE_FOLDER}/${
    temporaryName(0).replaceAll(".", "\\.").replace("1", "\\d")
  }$`,
);

/** What the files of one run act with. */
export interface ScenarioFilesParts {
  readonly files: Files;
  /** The run folder's real path. */
  readonly folder: string;
  readonly stage: Stage;
  readonly faults: ArmedFaults;
}

/**
 * Files of a run whose scenario may act between and in their operations. Nothing
 * waits for the device: no scenario cuts the power, and a flush takes longer
 * than everything else.
 */
export function scenarioFiles(
  { files, folder, stage, faults }: ScenarioFilesParts,
): Files {
  const named = (path: string) =>
    path === folder ? "." : path.slice(folder.length + 1);
  const handle = (path: string, file: FileHandle): FileHandle => {
    const name = named(path);
    return {
      facts: () => file.facts(),
      read: (maxBytes) => faults.run("read", name, () => file.read(maxBytes)),
      write: (bytes) =>
        faults.take("short_write", name) === null
          ? faults.run("write", name, () => file.write(bytes))
          : file.write(bytes.subarray(0, bytes.length >> 1)),
      sync: () => faults.run("sync", name, () => {}),
      close: () => {
        file.close();
        if (TEMPORARY.test(name)) stage.reach("before_recheck");
      },
    };
  };
  return {
    ...files,
    realPath: (path) =>
      faults.run("real_path", named(path), () => files.realPath(path)),
    facts: (path) => faults.run("facts", named(path), () => files.facts(path)),
    open: (path) => {
      const name = named(path);
      if (name === SOURCE) stage.reach("during_check");
      return handle(path, faults.run("open", name, () => files.open(path)));
    },
    create: (path) =>
      handle(path, faults.run("create", named(path), () => files.create(path))),
    rename: (from, to) => {
      const isCommit = named(to) === SOURCE;
      if (isCommit) stage.reach("before_rename");
      faults.run("rename", named(to), () => files.rename(from, to));
      if (isCommit) stage.reach("after_rename");
    },
    syncFolder: (path) => faults.run("sync_folder", named(path), () => {}),
  };
}

/** Files whose current folder is another than the process's. */
export function filesFrom(files: Files, currentFolder: string): Files {
  const at = (path: string) =>
    path.startsWith("/") ? path : `${currentFolder}/${path}`;
  return {
    ...files,
    realPath: (path) => files.realPath(at(path)),
    facts: (path) => files.facts(at(path)),
    makeFolder: (path) => files.makeFolder(at(path)),
    syncFolder: (path) => files.syncFolder(at(path)),
  };
}
