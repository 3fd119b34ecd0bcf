// What somebody does who knows the format: after a change every later record is
// chained anew, and the final report closes the new chain. For the checks of
// verification alone; nothing that conducts a run comes here.

import type { JsonObject } from "../agent/json.ts";
import { canonicalJson } from "../evidence/audit_record.ts";
import { AUDIT_NAME } from "../evidence/audit_writer.ts";
import {
  FINAL_NAME,
  finalBytes,
  finalReport,
} from "../evidence/final_report.ts";
import { MANIFEST_NAME } from "../evidence/manifest.ts";
import { RECOVERY_NAME } from "../evidence/recovery_records.ts";
import { sha256 } from "../system/sha256.ts";

/** A run's files by their path below its folder. */
export type ForgedFiles = ReadonlyMap<string, Uint8Array>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The lines of a file, without line feeds; what follows the last is a tail. */
export function linesOf(
  bytes: Uint8Array,
): { readonly lines: readonly string[]; readonly tail: Uint8Array } {
  const text = decoder.decode(bytes);
  const end = text.lastIndexOf("\n") + 1;
  return {
    lines: text.slice(0, end).split("\n").slice(0, -1),
    tail: bytes.subarray(encoder.encode(text.slice(0, end)).length),
  };
}

/** Bytes of lines and a tail. */
export function joinLines(
  lines: readonly string[],
  tail: Uint8Array = new Uint8Array(),
): Uint8Array {
  const text = encoder.encode(lines.map((line) => `${line}\n`).join(""));
  const bytes = new Uint8Array(text.length + tail.length);
  bytes.set(text);
  bytes.set(tail, text.length);
  return bytes;
}

/** Chains a run anew after its manifest or records were altered. */
export function chainAnew(
  run: ForgedFiles,
  altered: {
    readonly manifest?: JsonObject;
    readonly audit?: readonly JsonObject[];
    readonly recovery?: readonly JsonObject[];
    readonly tail?: Uint8Array;
  },
): ForgedFiles {
  const files = new Map(run);
  if (altered.manifest !== undefined) {
    const text = `${JSON.stringify(altered.manifest, null, 2)}\n`;
    files.set(MANIFEST_NAME, encoder.encode(text));
  }
  const first = { head: sha256(files.get(MANIFEST_NAME)!), count: 0 };
  const old = linesOf(files.get(AUDIT_NAME)!);
  const audit = chained(altered.audit ?? parsed(old.lines), first);
  files.set(AUDIT_NAME, joinLines(audit.lines, altered.tail ?? old.tail));
  const recoveryBytes = files.get(RECOVERY_NAME);
  const recovery = recoveryBytes === undefined ? undefined : chained(
    altered.recovery ?? parsed(linesOf(recoveryBytes).lines),
    audit.head,
  );
  if (recovery !== undefined) {
    files.set(RECOVERY_NAME, joinLines(recovery.lines));
  }
  const last = (recovery ?? audit).records.at(-1);
  const event = last?.["event"];
  const content = last?.["content"] ?? null;
  if (
    (event === "run_ended" || event === "run_recovered") &&
    typeof content === "object" && content !== null
  ) {
    const heads = { audit: audit.head };
    const report = finalReport(
      content as JsonObject,
      recovery === undefined ? heads : { ...heads, recovery: recovery.head },
    );
    files.set(FINAL_NAME, finalBytes(report));
  }
  return files;
}

/** The records of lines. */
export function parsed(lines: readonly string[]): JsonObject[] {
  return lines.map((line) => JSON.parse(line));
}

function chained(
  records: readonly JsonObject[],
  first: { readonly head: ReturnType<typeof sha256>; readonly count: number },
) {
  let { head, count } = first;
  const out: JsonObject[] = [];
  const lines = records.map((record) => {
    const next = { ...record, event_id: ++count, prev: head };
    const line = canonicalJson(next);
    head = sha256(line);
    out.push(next);
    return line;
  });
  return { lines, records: out, head: { head, count } };
}
