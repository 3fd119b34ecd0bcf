// `acquisition.json` is ledger and download manifest in one
// (lab Part 2: repository, revision, URL, expected and observed byte count,
// expected identity, observed SHA-256 and completion status for every file).
//
// The seal is a plain digest of the content: it catches an accident and an edit
// by hand. Whoever computes it anew is caught, or gains nothing, by what
// `ledger_checks.ts` compares; a new folder is the honest way to begin again.

import canonicalize from "canonicalize";
import type { Json, JsonObject } from "../agent/json.ts";
import { z } from "../system/zod.ts";
import { firstIssue } from "../system/first_issue.ts";
import { toPlainJson } from "../system/plain_json.ts";
import { type Sha256, sha256 } from "../system/sha256.ts";
import { scanJson } from "../system/strict_json.ts";

const count = z.int().min(0);
const FORMAT = "tinycoder-acquisition";
const VERSION = 1;

/** Most UTF-16 units of a text, and of what was shown before a yes. */
const MAX_TEXT = 4_096;
const MAX_SHOWN = 16_384;
/** Most answers that are read, and that are kept when one more is added. */
const MAX_OPT_INS = 100;
const KEPT_OPT_INS = 50;

const text = z.string().max(MAX_TEXT);
const hex40 = z.string().regex(/^[0-9a-f]{40}$/);
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

const requestSchema = z.strictObject({
  started_uptime_s: count,
  /** First byte asked for; 0 unless an earlier request was continued. */
  from_byte: count,
  /** The last host that answered. */
  host: text.nullable(),
  /** Bytes of payload that arrived, those of refused answers included. */
  payload_bytes: count,
  /** Bytes that may have been sent without arriving, and are counted. */
  forfeited_bytes: count,
  outcome: z.enum(["open", "complete", "interrupted", "refused", "cancelled"]),
  detail: text.nullable(),
});

const fileSchema = z.strictObject({
  name: text,
  url: text,
  expected_bytes: z.int().min(1),
  expected_sha256: hex64.nullable(),
  expected_git_blob_sha1: hex40.nullable(),
  status: z.enum(["pending", "partial", "verified", "failed"]),
  /** Where the verified bytes came from. */
  origin: z.enum(["hub", "copy"]).nullable(),
  observed_bytes: count.nullable(),
  observed_sha256: hex64.nullable(),
  observed_git_blob_sha1: hex40.nullable(),
  requests: z.array(requestSchema).max(2),
});

const optInSchema = z.strictObject({
  shown: z.string().max(MAX_SHOWN),
  answer: z.enum(["yes", "--yes"]),
  given_wall_ms: count,
});

const contentSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  label: text,
  pinned: z.boolean(),
  repository: text,
  revision: hex40,
  license: text,
  opt_ins: z.array(optInSchema).max(MAX_OPT_INS),
  window: z.strictObject({
    opened_uptime_s: count,
    opened_wall_ms: count,
    seen_uptime_s: count,
    ended: z.enum(["elapsed", "reboot", "clock_moved"]).nullable(),
    acquire_seconds: count,
    window_seconds: count,
  }),
  bytes: z.strictObject({
    ceiling: count,
    /** Counted for good. */
    settled: count,
    /** Reserved by a transfer that is under way, or died. */
    reserved: count,
  }),
  files: z.array(fileSchema).min(1).max(32),
  status: z.enum(["open", "verified", "ended"]),
  /** Uptime when the last file was verified; null while one isn't. */
  verified_uptime_s: count.nullable(),
  /** Why it ended for good, else null. */
  end: z.strictObject({ code: text, what: text, why: text }).nullable(),
  /** The one core trial of this folder (lab Part 10). */
  core_trial: z.strictObject({
    run_id: text,
    reserved_uptime_s: count,
    reserved_wall_ms: count,
    within_window: z.boolean(),
  }).nullable(),
});

/** One request for a file, its redirects included. */
export type LedgerRequest = Readonly<z.infer<typeof requestSchema>>;

/** One file's line of the manifest. */
export type LedgerFile = Readonly<z.infer<typeof fileSchema>>;

/** What the user was shown, and said. */
export type OptIn = Readonly<z.infer<typeof optInSchema>>;

/** Everything in a ledger but its seal. */
export type LedgerContent = Readonly<z.infer<typeof contentSchema>>;

/** Most bytes of a ledger. */
export const MAX_LEDGER_BYTES = 2 * 1024 * 1024;

const sealedSchema = contentSchema.extend({ content_sha256: hex64 });

/**
 * The content with everything that has a bound cut to it, the first answer and the
 * latest ones kept: what is written is what can be read again.
 */
export function withinBounds(content: LedgerContent): LedgerContent {
  const { opt_ins, files, end } = content;
  const kept = opt_ins.length <= KEPT_OPT_INS
    ? opt_ins
    : [...opt_ins.slice(0, 1), ...opt_ins.slice(1 - KEPT_OPT_INS)];
  const orNull = (text: string | null) =>
    text === null ? null : cut(text, MAX_TEXT);
  return {
    ...content,
    opt_ins: kept.map((optIn) => ({
      ...optIn,
      shown: cut(optIn.shown, MAX_SHOWN),
    })),
    files: files.map((file) => ({
      ...file,
      requests: file.requests.map((request) => ({
        ...request,
        host: orNull(request.host),
        detail: orNull(request.detail),
      })),
    })),
    end: end === null ? null : {
      code: end.code,
      what: cut(end.what, MAX_TEXT),
      why: cut(end.why, MAX_TEXT),
    },
  };
}

/** The first units of a text, never half of a character. */
function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** The ledger's bytes: indented JSON, sealed, with a final newline. */
export function ledgerBytes(content: LedgerContent): Uint8Array {
  const sealed = { ...content, content_sha256: contentSeal(content) };
  return new TextEncoder().encode(`${JSON.stringify(sealed, null, 2)}\n`);
}

/**
 * Reads a ledger's bytes strictly.
 *
 * @returns The content, or why the bytes aren't a ledger, as a clause.
 */
export function parseLedger(
  bytes: Uint8Array,
):
  | { readonly ok: true; readonly content: LedgerContent }
  | { readonly ok: false; readonly why: string } {
  const scan = scanJson(bytes, { maxDepth: 8 });
  if (!scan.ok) return { ok: false, why: `it is not JSON (${scan.message})` };
  const plain = toPlainJson(scan.value);
  if (!plain.ok) return { ok: false, why: plain.message };
  const version = versionOf(plain.value);
  if (version !== VERSION) {
    return {
      ok: false,
      why: `its version is ${version}, and this tinycoder reads ${VERSION}`,
    };
  }
  const parsed = sealedSchema.safeParse(plain.value);
  if (!parsed.success) {
    const { place, why } = firstIssue(parsed.error);
    return { ok: false, why: `field ${place || "(top)"}: ${why}` };
  }
  const { content_sha256: seal, ...content } = parsed.data;
  return seal === contentSeal(content)
    ? { ok: true, content }
    : { ok: false, why: "its content was changed after it was written" };
}

/** The version that some tinycoder wrote; this one's where that isn't told. */
function versionOf(value: Json): number {
  if (value === null || typeof value !== "object") return VERSION;
  const { format, version } = value as JsonObject;
  return format === FORMAT && Number.isSafeInteger(version)
    ? Number(version)
    : VERSION;
}

/** SHA-256 of the content's RFC 8785 form. */
export function contentSeal(content: LedgerContent): Sha256 {
  return sha256(canonicalize(content)!);
}
