// What holds in every scenario, whatever it expects: only a committed edit
// changes the managed files, only an edit that began leaves anything beside
// them, an observation names the current version, and a backup holds the bytes
// that its edit replaced.

import * as fs from "node:fs";
import type { JsonObject } from "../../agent/json.ts";
import type { AuditRecord } from "../../evidence/audit_record.ts";
import { BACKUP_FOLDER, WORKSPACE_FOLDER } from "../../lab/workspace.ts";
import { sha256 } from "../../system/sha256.ts";
import type { Stage } from "./stage.ts";

/** Watches one run by its records and its folder. */
export class RunWatch {
  /** What was found that must not be, a sentence each. */
  readonly findings: string[] = [];
  readonly records: AuditRecord[] = [];
  readonly #folder: string;
  readonly #stage: Stage;
  #before: Sight | null = null;
  #editBegan = false;
  #version = 0;

  constructor(folder: string, stage: Stage) {
    this.#folder = folder;
    this.#stage = stage;
  }

  /** Takes one record, right after it was written. */
  see(record: AuditRecord): void {
    this.records.push(record);
    const { content } = record;
    switch (record.event) {
      case "proposal_received":
        this.#before = look(this.#folder, this.#stage);
        this.#editBegan = false;
        return;
      case "edit_fault":
        this.#editBegan = true;
        return;
      case "edit_intent":
        this.#editBegan = true;
        return this.#checkBackup(content);
      case "edit_committed":
        if (content["version"] !== this.#version + 1) {
          this.findings.push(
            `version ${this.#version} was followed by ${content["version"]}`,
          );
        }
        this.#version = Number(content["version"]);
        return;
      case "observation_made":
        return this.#checkObservation(content["observation"] as JsonObject);
    }
  }

  #checkBackup({ before, backup }: JsonObject): void {
    const path = `${this.#folder}/${BACKUP_FOLDER}/${backup}`;
    if (sha256(fs.readFileSync(path)) !== before) {
      this.findings.push(`${backup} doesn't hold the bytes before the edit`);
    }
  }

  #checkObservation({ version, status, sha256: digest }: JsonObject): void {
    const number = this.records.at(-1)?.proposal_number;
    if (version !== this.#version) {
      this.findings.push(
        `observation ${number} names version ${version}, not ${this.#version}`,
      );
    }
    const before = this.#before;
    const after = look(this.#folder, this.#stage);
    // Where somebody else acted in between, a change isn't the controller's.
    if (before?.acts !== after.acts) return;
    if (status === "edit_committed") {
      const path = `${this.#folder}/${WORKSPACE_FOLDER}/toy_math.py`;
      if (sha256(fs.readFileSync(path)) !== digest) {
        this.findings.push(`the receipt of proposal ${number} isn't on disk`);
      }
    } else if (before.managed !== after.managed) {
      this.findings.push(`proposal ${number} changed a managed file`);
    } else if (before.beside !== after.beside && !this.#editBegan) {
      this.findings.push(`proposal ${number} left something on disk`);
    }
  }
}

/** What is on disk at one moment, and how often somebody else had acted. */
interface Sight {
  readonly managed: string;
  readonly beside: string;
  readonly acts: number;
}

function look(folder: string, { performed }: Stage): Sight {
  const entries = [WORKSPACE_FOLDER, BACKUP_FOLDER].flatMap((name) =>
    listed(`${folder}/${name}`).map((entry) => `${name}/${entry}`)
  );
  const seen = (isManaged: boolean) =>
    entries
      .filter((entry) => MANAGED.includes(entry) === isManaged)
      .map((entry) => describeEntry(folder, entry))
      .join("\n");
  return { managed: seen(true), beside: seen(false), acts: performed };
}

const MANAGED = ["TASK.txt", "toy_math.py"].map((name) =>
  `${WORKSPACE_FOLDER}/${name}`
);

function describeEntry(folder: string, entry: string): string {
  const path = `${folder}/${entry}`;
  const stat = fs.lstatSync(path, { bigint: true });
  const content = stat.isFile() ? sha256(fs.readFileSync(path)) : "";
  return `${entry} ${stat.mode} ${stat.ino} ${stat.nlink} ${content}`;
}

/** Names in a folder, sorted; none where there is no such folder. */
export function listed(path: string): string[] {
  try {
    return fs.readdirSync(path).sort();
  } catch {
    return [];
  }
}
