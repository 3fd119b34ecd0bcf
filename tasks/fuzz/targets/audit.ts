// The reader of an audit's lines, against a second one. Half of the changed
// inputs are chained anew, or no change would get past the first digest.

import assert from "node:assert/strict";
import type { Random } from "../../../tests/expression_generator.ts";
import {
  RUN_ID,
  SEALED,
  SMALL_CATALOGUE,
  unchained,
} from "../../../tests/small_audit.ts";
import {
  type AuditRecord,
  canonicalJson,
} from "../../../lib/evidence/audit_record.ts";
import {
  AuditFinding,
  AuditReader,
  type Tail,
} from "../../../lib/evidence/audit_reader.ts";
import { sha256 } from "../../../lib/system/sha256.ts";
import type { FileHandle } from "../../../lib/system/files.ts";
import { assertMessage, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { JSON_WORDS, mutateJson } from "../json_grammar.ts";
import { judgeAudit } from "../judge_audit.ts";

/** What a reader makes of an audit. */
export interface AuditReading {
  readonly records: readonly AuditRecord[];
  readonly head: string;
  readonly tail: Tail | null;
  /** Of the finding that ended the reading, else null. */
  readonly finding: { readonly line: number; readonly message: string } | null;
}

/** Fuzzes the reader of an audit. */
export function auditTarget(read = readAudit): FuzzTarget {
  return {
    name: "audit",
    maxBytes: 200_000,
    words: [
      ...JSON_WORDS,
      ...'"at":null,|"kind":"fact"|"kind":"derived"|"event":"seen"|\n|\n\n|\r\n'
        .split("|"),
      ...["2026-02-29T00:00:00Z", "\0\0\0\0", '{"at":null,"content":{"text":'],
    ],
    generate: (random) =>
      bytesOf(chained(
        Array.from({ length: random.below(5) }, () => writeRecord(random)),
      )),
    mutate: mutateLines,
    judge: (input) => judge(input, read),
  };
}

/** Reads with the program's own reader. */
export function readAudit(bytes: Uint8Array): AuditReading {
  const reader = new AuditReader(
    holding(bytes),
    RUN_ID,
    SMALL_CATALOGUE,
    SEALED,
  );
  const records: AuditRecord[] = [];
  let finding: AuditReading["finding"] = null;
  try {
    for (const record of reader) records.push(record);
  } catch (thrown) {
    if (!(thrown instanceof AuditFinding)) throw thrown;
    finding = { line: thrown.line, message: thrown.flaw.message };
  }
  return { records, head: reader.head.head, tail: reader.tail, finding };
}

function judge(input: Uint8Array, read: typeof readAudit): string {
  const { records, head, tail, finding } = twice(() => read(input));
  const second = judgeAudit(input);
  assert.equal(records.length, second.records, "records");
  const lines = textOf(input).split("\n");
  records.forEach((record, index) =>
    assert.equal(canonicalJson(record), lines[index])
  );
  const last = lines[records.length - 1];
  assert.equal(head, last === undefined ? SEALED.head : sha256(last));
  if (finding !== null) {
    assert.equal(finding.line, records.length + 1);
    assertMessage(finding.message, 200);
    assert.ok(second.broken || second.tail.length > 0, "a finding in the tail");
    return `${Math.min(records.length, 3)} ${shapeOf(finding.message)}`;
  }
  assert.ok(!second.broken, "a broken line is passed over");
  const kind = second.tail.length === 0
    ? "clean"
    : second.tail.every((byte) => byte === 0)
    ? "nul_padding"
    : "torn";
  assert.deepEqual(
    tail,
    kind === "clean" ? { kind } : {
      kind,
      bytes: second.tail.length,
      sha256: sha256(second.tail),
    },
  );
  return `${Math.min(records.length, 3)} ${kind}`;
}

function writeRecord(random: Random): Record<string, unknown> {
  const text = random.pick([
    "",
    "a",
    "é",
    "\n",
    "\u2028",
    '"',
    "\x7f",
    "\u{1f600}",
  ]);
  const record: Record<string, unknown> = {
    ...unchained(random.pick(["seen", "made"]), text.repeat(random.below(4))),
  };
  if (random.chance(20)) record["proposal_number"] = 1 + random.below(6);
  if (random.chance(20)) record["monotonic_ms"] = random.below(10_000) / 1_000;
  return record;
}

/** Changes a record, or the order of them, and mostly chains them anew. */
function mutateLines(input: Uint8Array, random: Random): Uint8Array {
  const lines = textOf(input).split("\n");
  const at = random.below(lines.length);
  const line = lines[at]!;
  switch (random.below(5)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(random.below(lines.length), 0, line);
      break;
    case 2:
      lines[at] = JSON.stringify(writeRecord(random));
      break;
    default:
      lines[at] = textOf(mutateJson(bytesOf(line), random));
  }
  if (random.chance(20)) return bytesOf(lines.join("\n"));
  try {
    return bytesOf(
      chained(lines.filter((one) => one !== "").map((one) => JSON.parse(one))),
    );
  } catch {
    return bytesOf(lines.join("\n"));
  }
}

function chained(records: readonly Record<string, unknown>[]): string {
  let prev: string = SEALED.head;
  let number = 0;
  return records.map((record) => {
    const text = canonicalJson({ ...record, event_id: ++number, prev });
    prev = sha256(text);
    return `${text}\n`;
  }).join("");
}

function holding(bytes: Uint8Array): FileHandle {
  let at = 0;
  const never = () => {
    throw new Error("A reader asks for bytes alone");
  };
  return {
    facts: never,
    read: (most) => bytes.subarray(at, at = Math.min(bytes.length, at + most)),
    write: never,
    sync: never,
    close: () => {},
  };
}
