// A run's signed statement: made only of what was just verified, and verified
// only against a key that the reader brings.

import type { JsonObject } from "../../agent/json.ts";
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
  const differs = (
    message: string,
    more: Partial<Difference> = {},
  ): Difference => ({ file: ATTESTATION_NAME, message, ...more });
  const read = readJsonFile(
    files,
    folder,
    ATTESTATION_NAME,
    MAX_ATTESTATION_BYTES,
  );
  if (!read.ok) return differs(read.message);
  const envelope: Envelope | string = readEnvelope(read.value);
  if (typeof envelope === "string") return differs(envelope);
  if (!await isSignedBy(envelope, key)) {
    return differs("It isn't signed by this key");
  }
  if (envelope.payloadType !== STATEMENT_PAYLOAD_TYPE) {
    return differs("It signs something else than an in-toto statement", {
      field: "payloadType",
      expected: JSON.stringify(STATEMENT_PAYLOAD_TYPE),
      found: JSON.stringify(envelope.payloadType),
    });
  }
  const payload = readObject(envelope.payload);
  if (typeof payload === "string") return differs(payload);
  const difference = statementDifference(statement, payload);
  if (difference === null) return null;
  const { path, ...values } = difference;
  return differs("It states something else than the run's files show", {
    field: path,
    ...values,
  });
}
