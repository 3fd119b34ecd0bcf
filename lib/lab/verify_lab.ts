// The lab task's witness: follows receipts and findings, so that at the end it
// knows by digest what must lie in workspace and backups.

import type { JsonObject } from "../agent/json.ts";
import type {
  Contradiction,
  Inspection,
  Witness,
  WitnessedEvent,
} from "../agent/witness.ts";
import type { Files } from "../system/files.ts";
import { sha256 } from "../system/sha256.ts";
import type { EditFault, FileChange, WorkspaceFound } from "./lab_events.ts";
import { INITIAL_SOURCE, TASK_TEXT } from "./managed_files.ts";
import { factContradiction } from "./verify_facts.ts";
import { type ClaimedBytes, inspectFolder } from "./verify_workspace.ts";
import {
  BACKUP_FOLDER,
  backupName,
  temporaryName,
  WORKSPACE_FOLDER,
} from "./workspace.ts";

/** Follows one run of the lab's task, and looks at its files. */
export class LabWitness implements Witness {
  readonly folders = [WORKSPACE_FOLDER, BACKUP_FOLDER];
  readonly notes: string[] = [];
  readonly #files: Files;
  readonly #runFolder: string;
  readonly #source: string;
  readonly #expected = {
    "TASK.txt": sha256(TASK_TEXT) as string,
    "toy_math.py": sha256(INITIAL_SOURCE) as string,
  };
  readonly #workspace = new Map<string, ClaimedBytes>();
  readonly #backups = new Map<string, ClaimedBytes>();
  #version = 0;
  #open: { readonly after: string; readonly temporary: string } | null = null;
  /** What the last look at the files found in place of them. */
  #change: FileChange | "unreadable" | null = null;
  #stopped = false;
  /** Whether the process died while edits were still possible. */
  #died = false;
  /** Whether what changed was found by this run's own recovery. */
  #recovered = false;
  #loaded = false;
  #counted = false;

  /**
   * @param runFolder The run folder's real path.
   * @param source The run's proposal source.
   */
  constructor(files: Files, runFolder: string, source: string) {
    this.#files = files;
    this.#runFolder = runFolder;
    this.#source = source;
  }

  see(event: WitnessedEvent): Contradiction | null {
    if (event.kind === "derived") return this.#seeDerived(event);
    const contradiction = factContradiction(event, {
      source: this.#source,
      expected: this.#expected,
      editOpen: this.#open !== null,
    });
    if (contradiction === null) this.#seeFact(event);
    return contradiction;
  }

  look(): readonly Inspection[] {
    for (const [name, digest] of Object.entries(this.#expected)) {
      this.#workspace.set(name, { sha256: digest });
    }
    // A replay takes what its original found for found; its own disk is intact,
    // unless its recovery found otherwise.
    if (
      this.#change !== null &&
      (this.#source !== "recorded" || this.#recovered)
    ) {
      this.#expectAsFound(this.#change);
    }
    // It may have died between a backup and the intent that follows it.
    if (this.#died && !this.#backups.has(backupName(this.#version))) {
      this.#backups.set(backupName(this.#version), "unclaimed");
    }
    const optional = this.#died && this.#version === 0;
    return [
      { name: BACKUP_FOLDER, files: this.#backups, optional },
      {
        name: WORKSPACE_FOLDER,
        files: this.#workspace,
        optional: optional && this.#change !== null,
      },
    ].map((claimed) => inspectFolder(this.#files, this.#runFolder, claimed));
  }

  #seeFact({ event, content, at }: WitnessedEvent): void {
    switch (event) {
      case "model_loaded":
        this.#loaded = true;
        break;
      case "tokens_counted":
        this.#counted = true;
        break;
      case "file_changed":
        this.#change = content as FileChange;
        break;
      case "harness_fault":
        if (at === "evaluation") this.#change = "unreadable";
        break;
      case "edit_fault":
        this.#seeFault(content as EditFault);
        break;
      case "workspace_found": {
        const { bytes, change } = content as WorkspaceFound;
        this.#change = bytes === "other" ? change ?? "unreadable" : null;
        this.#recovered = true;
        break;
      }
      case "tail_found":
        this.#died = !this.#stopped;
        break;
    }
  }

  #seeFault({ step, found }: EditFault): void {
    if (step === "backup") {
      this.#backups.set(backupName(this.#version), "unclaimed");
      return;
    }
    if (this.#open === null) return;
    const { temporary, after } = this.#open;
    switch (step) {
      case "temporary":
        this.#workspace.set(temporary, "unclaimed");
        break;
      case "recheck":
      case "rename":
        this.#workspace.set(
          temporary,
          // A replay is told of the fault and makes no file for it; and a
          // rename that failed may still have moved it.
          this.#source === "recorded" || found !== "before"
            ? { sha256: after, optional: true }
            : { sha256: after },
        );
        break;
      case "sync":
      case "read_back":
        this.#workspace.delete(temporary);
        break;
    }
  }

  #seeDerived({ event, content }: WitnessedEvent): Contradiction | null {
    switch (event) {
      case "request_assembled":
        return this.#seeRequest();
      case "edit_intent":
        this.#seeIntent(content);
        break;
      case "edit_committed":
        this.#expected["toy_math.py"] = String(content["sha256"]);
        this.#version = Number(content["version"]);
        if (this.#open !== null) this.#workspace.delete(this.#open.temporary);
        this.#open = null;
        break;
      case "edit_abandoned":
        if (this.#died && this.#open !== null) {
          this.#workspace.set(this.#open.temporary, "unclaimed");
        }
        this.#open = null;
        break;
      case "loop_stopped":
        // The final snapshot looks again.
        this.#change = null;
        this.#stopped = true;
        break;
    }
    return null;
  }

  #seeRequest(): Contradiction | null {
    const measured = this.#loaded && this.#counted;
    this.#counted = false;
    return this.#source !== "model" || measured ? null : {
      message: "A model's request follows its loading and a count of tokens",
      field: "event",
    };
  }

  #seeIntent(content: JsonObject): void {
    const { before, after, backup, temporary } = content;
    this.#backups.set(String(backup), { sha256: String(before) });
    this.#open = { after: String(after), temporary: String(temporary) };
    // Until a receipt closes it, the temporary file may lie there.
    this.#workspace.set(temporaryName(this.#version), "unclaimed");
  }

  /** The files as a conflict found them; what it didn't read isn't claimed. */
  #expectAsFound(change: FileChange | "unreadable"): void {
    const files = ["TASK.txt", "toy_math.py"] as const;
    const first = change === "unreadable" ? 0 : files.indexOf(change.file);
    const unclaimed = files.slice(first);
    for (const name of unclaimed) this.#workspace.set(name, "unclaimed");
    if (change !== "unreadable" && change.sha256 !== null) {
      this.#workspace.set(change.file, { sha256: change.sha256 });
      unclaimed.shift();
    }
    if (unclaimed.length > 0) {
      this.#notClaimed(unclaimed);
    }
  }

  #notClaimed(names: readonly string[]): void {
    this.notes.push(
      `The run ended in a conflict and claims nothing about the bytes of ${
        names.join(" and ")
      }.`,
    );
  }
}
