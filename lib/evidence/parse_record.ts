// One line of an audit, from bytes to a record that has one spelling only. What
// a damaged file looks like gets its own sentence.

import {
  type IssueDifference,
  issueDifference,
} from "../system/issue_difference.ts";
import { AuditFinding } from "./audit_finding.ts";
import {
  type AuditRecord,
  canonicalJson,
  MAX_RECORD_BYTES,
} from "./audit_record.ts";
import { auditRecordSchema } from "./record_schema.ts";

/**
 * Reads one line.
 *
 * @param line Its number, from 1.
 * @param bytes Without the line feed.
 * @throws {AuditFinding} where it isn't one record in canonical form.
 */
export function parseRecord(line: number, bytes: Uint8Array): AuditRecord {
  const refuse = (
    message: string,
    more: { field?: string; expected?: string; found?: string } = {},
  ) => new AuditFinding(line, { message, ...more });
  if (bytes.length > MAX_RECORD_BYTES) {
    throw refuse(`The line is over ${MAX_RECORD_BYTES} bytes long`);
  }
  if (bytes.length === 0) throw refuse("The line is empty");
  const nul = bytes.indexOf(0);
  if (nul !== -1) throw refuse(`The line has a NUL byte, at byte ${nul}`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch {
    throw refuse("The line isn't UTF-8");
  }
  if (text.startsWith("\ufeff")) {
    throw refuse("A byte order mark is in front of the record");
  }
  if (text.endsWith("\r")) {
    throw refuse("The line ends with CR LF; was it converted on the way?");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Every record begins so, and inside a string the quotes are escaped.
    const second = text.lastIndexOf(BEGIN);
    throw refuse(
      text.startsWith(BEGIN) && second > 0
        ? `A second record begins on the line, at character ${second}`
        : "The line isn't one JSON value",
    );
  }
  const issue = recordIssue(value);
  if (issue !== null) {
    throw refuse("The line isn't a record", {
      field: issue.place || "the whole line",
      expected: issue.expected,
      found: issue.found,
    });
  }
  if (!isCanonical(value, text)) {
    throw refuse("The line isn't in canonical form");
  }
  return value as AuditRecord;
}

/** How the canonical form of every record begins. */
const BEGIN = '{"at":';

function recordIssue(value: unknown): IssueDifference | null {
  try {
    const { error } = auditRecordSchema.safeParse(value);
    return error === undefined ? null : issueDifference(error, value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { place: "", expected: "a record", found: "a value too deep" };
  }
}

function isCanonical(value: unknown, text: string): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    // A lone surrogate, say: no text can hold it.
    return false;
  }
}
