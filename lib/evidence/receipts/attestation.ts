// A run's signed statement: made only of what was just verified, and verified
// only against a key that the reader brings.

import type { JsonObject } from "../../agent/json.ts";
import { isDenied, systemCode } from "../../system/error_code.ts";
import type { Files } from "../../system/files.ts";
import { readJsonFile, readObject } from "../evidence_files.ts";
import { ATTESTATION_NAME } from "./attestation_name.ts";
import {
  type Envelope,
  envelopeJson,
  isSignedBy,
  readEnvelope,
  signEnvelope,
} from "./dsse.ts";
import {
  STATEMENT_PAYLOAD_TYPE,
  statementBytes,
  statementDifference,
} from "./statement.ts";
import { NoSubject, runSubjects } from "./subjects.ts";
import type { Difference } from "../verify_report.ts";

/** Most bytes of an attestation. */
export const MAX_ATTESTATION_BYTES = 1_024 * 1_024;

/** The attestation file's bytes for a statement. */
export async function attestationBytes(
  statement: JsonObject,
  key: CryptoKey,
  keyid: string,
): Promise<Uint8Array> {
  const envelope = await signEnvelope(
    STATEMENT_PAYLOAD_TYPE,
    statementBytes(statement),
    key,
    keyid,
  );
  const text = JSON.stringify(envelopeJson(envelope), null, 2);
  return new TextEncoder().encode(`${text}\n`);
}

/**
 * Checks a run's attestation against a key and the statement that follows.
 *
 * @returns Where it doesn't hold, or null.
 */
export async function attestationDifference(
  files: Files,
  folder: string,
  key: CryptoKey,
  statement: JsonObject,
): Promise<Difference | null> {
  const read = await readSigned(files, folder, key);
  if ("difference" in read) return read.difference;
  const changed = changedSubject(statement, read.signed);
  if (changed !== null) return changed;
  const difference = statementDifference(statement, read.signed);
  if (difference === null) return null;
  const { path, ...values } = difference;
  return {
    file: ATTESTATION_NAME,
    message: "It states something else than the run's files show",
    field: path,
    ...values,
  };
}

/**
 * The first file of a run whose bytes aren't the signed ones, of a run that need
 * not hold; null where no file differs, nothing is signed by the key, or a file
 * can't be read.
 */
export async function signedFileDifference(
  files: Files,
  folder: string,
  key: CryptoKey,
): Promise<Difference | null> {
  try {
    const read = await readSigned(files, folder, key);
    if ("difference" in read) return null;
    const subject = runSubjects(files, folder)
      .map(({ name, sha256 }) => ({ name, digest: { sha256 } }));
    return changedSubject({ subject }, read.signed);
  } catch (error) {
    if (error instanceof NoSubject) return error.difference;
    // The run is refuted already; a file that can't be read takes nothing back.
    if (systemCode(error) !== null || isDenied(error)) return null;
    throw error;
  }
}

/** What a run's attestation states, once it is known to be by the key. */
async function readSigned(
  files: Files,
  folder: string,
  key: CryptoKey,
): Promise<
  { readonly signed: JsonObject } | { readonly difference: Difference }
> {
  const differs = (
    message: string,
    more: Partial<Difference> = {},
  ) => ({ difference: { file: ATTESTATION_NAME, message, ...more } });
  const read = readJsonFile(
    files,
    folder,
    ATTESTATION_NAME,
    MAX_ATTESTATION_BYTES,
  );
  if (!read.ok) {
    return differs(read.message, read.missing ? { code: "unsigned" } : {});
  }
  const envelope: Envelope | string = readEnvelope(read.value);
  if (typeof envelope === "string") return differs(envelope);
  if (!await isSignedBy(envelope, key)) {
    return differs("It isn't signed by this key", { code: "other_key" });
  }
  if (envelope.payloadType !== STATEMENT_PAYLOAD_TYPE) {
    return differs("It signs something else than an in-toto statement", {
      field: "payloadType",
      expected: JSON.stringify(STATEMENT_PAYLOAD_TYPE),
      found: JSON.stringify(envelope.payloadType),
    });
  }
  const payload = readObject(envelope.payload);
  return typeof payload === "string" ? differs(payload) : { signed: payload };
}

/** The first file whose bytes aren't the signed ones, or null. */
function changedSubject(
  statement: JsonObject,
  signed: JsonObject,
): Difference | null {
  const [now, then] = [digestsOf(statement), digestsOf(signed)];
  for (const [file, digest] of then) {
    const found = now.get(file);
    if (found === digest) continue;
    return {
      code: found === undefined ? "missing_file" : "changed",
      file,
      message: found === undefined
        ? "The file was signed, and is missing"
        : "Its bytes aren't those that were signed",
      expected: `SHA-256 ${digest}`,
      found: found === undefined ? "nothing" : `SHA-256 ${found}`,
    };
  }
  const unsigned = [...now.keys()].find((file) => !then.has(file));
  return unsigned === undefined ? null : {
    code: "extra_file",
    file: unsigned,
    message: "The file wasn't there when it was signed",
  };
}

/** Digests by file name, as far as a statement has them. */
function digestsOf({ subject }: JsonObject): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  if (!Array.isArray(subject)) return digests;
  for (const one of subject as readonly (JsonObject | null)[]) {
    const digest = one?.["digest"] as JsonObject | null | undefined;
    const [name, sha256] = [one?.["name"], digest?.["sha256"]];
    if (typeof name === "string" && typeof sha256 === "string") {
      digests.set(name, sha256);
    }
  }
  return digests;
}
