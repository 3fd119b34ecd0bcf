// A second reader of a small audit: lines, records and chain by Node's digest,
// the platform's JSON and rules written down again.

import { createHash } from "node:crypto";
import { RUN_ID, SEALED } from "../../tests/small_audit.ts";

/** How far an audit is one. */
export interface AuditJudgement {
  /** Whole lines that are the next record, from the first. */
  readonly records: number;
  /** Whether the line after those isn't a record, so that reading ends there. */
  readonly broken: boolean;
  /** Bytes after the last line feed. */
  readonly tail: Uint8Array;
}

const MAX_LINE_BYTES = 128 * 1_024;

/** Reads an audit of the small catalogue a second time. */
export function judgeAudit(bytes: Uint8Array): AuditJudgement {
  let prev: string = SEALED.head;
  let records = 0;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1) break;
    const line = bytes.subarray(start, end);
    if (!isRecord(line, records + 1, prev)) {
      return { records, broken: true, tail: new Uint8Array() };
    }
    prev = createHash("sha256").update(line).digest("hex");
    records++;
    start = end + 1;
  }
  return { records, broken: false, tail: bytes.subarray(start) };
}

function isRecord(line: Uint8Array, number: number, prev: string): boolean {
  if (line.length > MAX_LINE_BYTES) return false;
  let value: Record<string, unknown>;
  let text: string;
  try {
    text = STRICT.decode(line);
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof value !== "object" || value === null) return false;
  const { at, kind, source } = value;
  const { monotonic_ms, proposal_number, wall_time } = value;
  const fact = kind === "fact";
  const said = textOf(value["content"]);
  if (
    said === null ||
    !(fact
      ? typeof at === "string" && /^[a-z_]{1,64}$/.test(at)
      : at === null) ||
    !(typeof monotonic_ms === "number" && monotonic_ms >= 0) ||
    !(proposal_number === null || isNumberOfProposal(proposal_number)) ||
    !(typeof source === "string" && /^[^]{1,64}$/.test(source)) ||
    !isTime(wall_time)
  ) return false;
  // In the order of their names, as RFC 8785 has them; a surrogate alone, which
  // JSON.stringify would spell out, is no text.
  const written = JSON.stringify({
    at,
    content: { text: said },
    event: fact ? "seen" : "made",
    event_id: number,
    kind: fact ? "fact" : "derived",
    monotonic_ms,
    prev,
    proposal_number,
    run_id: RUN_ID,
    source,
    wall_time,
  });
  return written === text && said.isWellFormed() && source.isWellFormed();
}

function textOf(content: unknown): string | null {
  if (typeof content !== "object" || content === null) return null;
  const { text } = content as Record<string, unknown>;
  return typeof text === "string" ? text : null;
}

function isNumberOfProposal(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** A time in UTC, with a fraction of its seconds or without. */
function isTime(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/
      .exec(value);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1, 4).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day;
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
