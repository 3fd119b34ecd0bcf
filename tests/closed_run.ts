// What must hold of every run's folder after recovery, however the run died.
// Chains and digests are computed here again, with other code than the
// program's, so that a fault in its own can't hide.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import type { JsonObject } from "../lib/agent/json.ts";
import { labEvidence } from "../lib/cli/lab_evidence.ts";
import { verifyFolder } from "../lib/cli/verify.ts";
import { AuditReader } from "../lib/evidence/audit_reader.ts";
import { finalSchema } from "../lib/evidence/final_schema.ts";
import { runIdentity } from "../lib/evidence/manifest.ts";
import { manifestSchema } from "../lib/evidence/manifest_schema.ts";
import { rederive } from "../lib/evidence/rederive.ts";
import { openWorkspace } from "../lib/lab/workspace.ts";
import { diskFiles } from "../lib/system/files.ts";
import type { Sha256 } from "../lib/system/sha256.ts";

/** SHA-256 by Node's own implementation, in lower-case hexadecimal. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Every entry below a folder: a file's bytes in base64, a link's target, null. */
export function contentsOf(folder: string): Record<string, string | null> {
  const names = fs.readdirSync(folder, { recursive: true }).map(String).sort();
  return Object.fromEntries(names.map((name) => {
    const path = `${folder}/${name}`;
    const entry = fs.lstatSync(path);
    if (entry.isDirectory()) return [name, null];
    return entry.isSymbolicLink()
      ? [name, `-> ${fs.readlinkSync(path)}`]
      : [name, fs.readFileSync(path).toString("base64")];
  }));
}

/** A chain's whole records, and what follows the last one. */
export interface Chain {
  readonly records: readonly JsonObject[];
  readonly head: string;
  readonly tail: Uint8Array;
}

/**
 * Follows a chain by its digests alone.
 *
 * @param first What its first record must chain to, and its number less 1.
 */
export function followChain(
  path: string,
  first: { readonly head: string; readonly count: number },
): Chain {
  const bytes = fs.existsSync(path) ? fs.readFileSync(path) : new Uint8Array();
  let { head, count } = first;
  const records: JsonObject[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1) break;
    const line = bytes.subarray(start, end);
    const record = JSON.parse(new TextDecoder().decode(line));
    assert.equal(record.prev, head, `${path}: chain at record ${count + 1}`);
    assert.equal(record.event_id, ++count);
    records.push(record);
    head = digestOf(line);
    start = end + 1;
  }
  return { records, head, tail: bytes.subarray(start) };
}

/** How a run that died was closed, for a count of outcomes. */
export interface ClosedRun {
  /** Whether recovery closed it, not the run itself. */
  readonly recovered: boolean;
  readonly stop: string;
  readonly detail: string | null;
  readonly evaluation: string;
  readonly version: number;
  readonly tail: string;
}

/**
 * Asserts that a run's folder is closed: before-or-after, a valid chain, a
 * final report that agrees with both, nothing claimed that isn't so.
 *
 * @param versions The source's bytes by version, as a whole run makes them.
 * @param outside What somebody else may have made of the source.
 */
export async function assertClosed(
  folder: string,
  versions: readonly string[],
  outside: string | null = null,
): Promise<ClosedRun> {
  const read = (name: string) => fs.readFileSync(`${folder}/${name}`);
  const manifest = manifestSchema.parse(
    JSON.parse(String(read("manifest.json"))),
  );
  const sealed = { head: digestOf(read("manifest.json")), count: 0 };
  const audit = followChain(`${folder}/audit.jsonl`, sealed);
  const heads = { head: audit.head, count: audit.records.length };
  const final: JsonObject = JSON.parse(String(read("final.json")));
  finalSchema.parse(final);
  assert.deepEqual(final["audit"], heads);

  const recovery = followChain(`${folder}/recovery.jsonl`, heads);
  assert.equal(recovery.tail.length, 0);
  assert.equal(final["recovered"], recovery.records.length > 0);
  const tail = assertTail(recovery.records, audit.tail);
  assertTerminal(final, audit, recovery);

  const all = [...audit.records, ...recovery.records];
  const version = assertEdits(folder, { versions, outside }, all, final);
  await assertRederives(folder, manifest, sealed.head, audit.records.length);
  assertNames(folder);
  const { discrepancy } = await verifyFolder(diskFiles, folder, "the run");
  assert.equal(discrepancy, null);
  return {
    recovered: final["recovered"] === true,
    stop: String(final["stop_reason"]),
    detail: final["detail"] as string | null,
    evaluation: String(final["final_evaluation"]),
    version,
    tail,
  };
}

function assertTail(recovery: readonly JsonObject[], tail: Uint8Array): string {
  if (recovery.length === 0) {
    assert.equal(tail.length, 0);
    return "clean";
  }
  const { event, content } = recovery[0] as JsonObject;
  assert.equal(event, "tail_found");
  const found = content as JsonObject;
  const kind = tail.length === 0
    ? "clean"
    : tail.every((byte) => byte === 0)
    ? "nul_padding"
    : "torn";
  assert.deepEqual(found, {
    kind,
    bytes: tail.length,
    sha256: kind === "clean" ? null : digestOf(tail),
  });
  return kind;
}

function assertTerminal(
  final: JsonObject,
  audit: Chain,
  recovery: Chain,
): void {
  const { recovered } = final;
  const last = (recovered ? recovery : audit).records.at(-1) as JsonObject;
  assert.equal(last["event"], recovered ? "run_recovered" : "run_ended");
  const { format, format_version, audit: _, recovery: added, ...content } =
    final;
  assert.deepEqual([format, format_version], ["tinycoder/final", 1]);
  assert.deepEqual(content, last["content"]);
  if (!recovered) return assert.equal(added, undefined);
  assert.deepEqual(added, {
    head: recovery.head,
    count: audit.records.length + recovery.records.length,
  });
  assert.equal(final["verified_success"], false);
  const stops = audit.records.filter(({ event }) => event === "loop_stopped");
  const said = (stops[0]?.["content"] as JsonObject | undefined) ??
    { stop_reason: "harness_error", detail: "process_died" };
  assert.deepEqual(
    [final["stop_reason"], final["detail"]],
    [said["stop_reason"], said["detail"]],
  );
}

/** Edits, receipts, backups and the source itself agree. */
function assertEdits(
  folder: string,
  { versions, outside }: {
    readonly versions: readonly string[];
    readonly outside: string | null;
  },
  records: readonly JsonObject[],
  final: JsonObject,
): number {
  const of = (type: string) =>
    records.filter(({ event }) => event === type).map(({ content }) =>
      content as JsonObject
    );
  const committed = of("edit_committed");
  const abandoned = of("edit_abandoned");
  const intents = of("edit_intent");
  // An edit whose bytes can't be told is left open, and nothing is claimed.
  const open = intents.length - committed.length - abandoned.length;
  assert.ok(
    open === 0 || open === 1 && final["sha256"] === null ||
      open === 1 && final["stop_reason"] === "workspace_conflict",
  );
  const version = committed.length;
  assert.equal(final["version"], version);

  const target = `${folder}/workspace/toy_math.py`;
  const source = fs.existsSync(target) ? fs.readFileSync(target, "utf8") : null;
  const made = source !== null && source === versions[version];
  if (records.some(({ event }) => event === "request_assembled")) {
    const possible = [
      versions[version],
      ...outside === null ? [] : [outside],
      ...open === 0 ? [] : [versions[version + 1]],
    ];
    assert.ok(possible.includes(source ?? ""), `It isn't version ${version}`);
  }
  if (final["sha256"] !== null) {
    assert.ok(made);
    assert.equal(final["sha256"], digestOf(fs.readFileSync(target)));
  }
  for (const { old_version: old, backup, before, after } of intents) {
    const bytes = fs.readFileSync(`${folder}/backups/${backup}`, "utf8");
    assert.equal(bytes, versions[Number(old)]);
    assert.equal(before, digestOf(bytes));
    assert.equal(after, digestOf(versions[Number(old) + 1] ?? ""));
  }
  return version;
}

async function assertRederives(
  folder: string,
  manifest: ReturnType<typeof manifestSchema.parse>,
  sealed: string,
  count: number,
): Promise<void> {
  const evidence = labEvidence(openWorkspace(diskFiles, folder));
  const path = `${folder}/audit.jsonl`;
  if (!fs.existsSync(path)) return;
  const file = diskFiles.open(path);
  try {
    const first = { head: sealed as Sha256, count: 0 };
    const { catalogue } = evidence;
    const reader = new AuditReader(file, manifest.run_id, catalogue, first);
    const derived = await rederive(reader, runIdentity(manifest), evidence);
    assert.notEqual(derived.kind, "diverged");
    assert.equal(reader.head.count, count);
  } finally {
    file.close();
  }
}

/** Nothing lies in the folder but what the program names. */
function assertNames(folder: string): void {
  const known =
    /^(manifest\.json|audit\.jsonl|recovery\.jsonl|final\.json|attestation\.json|workspace(\/(TASK\.txt|toy_math\.py|\.toy_math\.py\.v[12]\.tmp))?|backups(\/toy_math\.py\.v[01])?)$/;
  assert.deepEqual(
    Object.keys(contentsOf(folder)).filter((name) => !known.test(name)),
    [],
  );
}
