// Holds what a run did against what its scenario expects.

import * as fs from "node:fs";
import type { Json, JsonObject } from "../../agent/json.ts";
import type { AuditRecord } from "../../evidence/audit_record.ts";
import { generateSource } from "../../lab/expression/source_wrapper.ts";
import { BACKUP_FOLDER, WORKSPACE_FOLDER } from "../../lab/workspace.ts";
import { sha256 } from "../../system/sha256.ts";
import type { RunScenario } from "./format.ts";
import { findMismatch } from "./mismatch.ts";
import { listed } from "./watch.ts";

/** What a run left. */
export interface RunTraces {
  readonly folder: string;
  readonly records: readonly AuditRecord[];
  readonly final: JsonObject;
}

/** What isn't as the scenario expects it, a sentence each. */
export function findUnexpected(
  { expect }: RunScenario,
  { folder, records, final }: RunTraces,
): string[] {
  const observations = records
    .filter(({ event }) => event === "observation_made")
    .map(({ content }) => content["observation"] ?? null);
  const digest = sha256(generateSource(expect.source));
  const found = [
    findMismatch(expect.observations as Json, observations, "observations"),
    // A digest is only absent where the scenario says that it is.
    findMismatch({ sha256: digest, ...expect.final } as Json, final, "final"),
    findMismatch(
      expect.on_disk,
      digestOnDisk(`${folder}/${WORKSPACE_FOLDER}/toy_math.py`) === digest
        ? "as_recorded"
        : "changed",
      "on_disk",
    ),
    findMismatch(
      expect.backups,
      listed(`${folder}/${BACKUP_FOLDER}`),
      "backups",
    ),
    findMismatch(
      expect.workspace,
      listed(`${folder}/${WORKSPACE_FOLDER}`),
      "workspace",
    ),
    findMissingRecord(expect.records as JsonObject[], records),
    ...expect.absent.map((event) =>
      records.some((record) => record.event === event)
        ? `a record "${event}" is there`
        : null
    ),
    ...findInRequest(expect.last_request, records),
  ];
  return found.filter((one) => one !== null);
}

/** Digest of a regular file's bytes; null for anything else. */
function digestOnDisk(path: string): string | null {
  try {
    return fs.lstatSync(path).isFile() ? sha256(fs.readFileSync(path)) : null;
  } catch {
    return null;
  }
}

/** The first expected record that isn't there, after those before it. */
function findMissingRecord(
  expected: readonly JsonObject[],
  records: readonly AuditRecord[],
): string | null {
  let from = 0;
  for (const one of expected) {
    const at = records.findIndex((record, index) =>
      index >= from && findMismatch(one, record, "record") === null
    );
    if (at === -1) return `no further record is ${JSON.stringify(one)}`;
    from = at + 1;
  }
  return null;
}

function findInRequest(
  expected: RunScenario["expect"]["last_request"],
  records: readonly AuditRecord[],
): string[] {
  if (expected === undefined) return [];
  const request = records.findLast(({ event }) =>
    event === "request_assembled"
  );
  const messages = request?.content["messages"] as
    | readonly { readonly content: string }[]
    | undefined;
  const text = messages?.at(-1)?.content ?? "";
  return [
    ...expected.contains.filter((part) => !text.includes(part))
      .map((part) => `the last request lacks ${JSON.stringify(part)}`),
    ...expected.lacks.filter((part) => text.includes(part))
      .map((part) => `the last request contains ${JSON.stringify(part)}`),
  ];
}
