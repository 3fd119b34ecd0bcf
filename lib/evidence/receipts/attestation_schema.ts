// The formats of a signature: DSSE's envelope, and the in-toto statement that
// its payload is. Readers ignore fields that they don't know, as both ask.

import { z } from "../../system/zod.ts";
import { sha256Schema } from "../record_schema.ts";
import { MAX_SIGNATURES } from "./dsse.ts";
import { PREDICATE_TYPE, STATEMENT_PAYLOAD_TYPE } from "./statement.ts";

/** The format of `attestation.json`. */
export const attestationSchema = z.looseObject({
  /** The statement's bytes. */
  payload: z.base64(),
  payloadType: z.literal(STATEMENT_PAYLOAD_TYPE),
  signatures: z.array(z.looseObject({
    /** SHA-256 of the public key's SPKI bytes; a hint that proves nothing. */
    keyid: z.string().optional(),
    /** Ed25519, over DSSE's encoding of type and payload. */
    sig: z.base64(),
  })).min(1).max(MAX_SIGNATURES),
});

const resource = z.looseObject({
  name: z.string(),
  digest: z.looseObject({ sha256: sha256Schema }),
});

/** The format of an attestation's payload. */
export const statementSchema = z.looseObject({
  _type: z.literal("https://in-toto.io/Statement/v1"),
  /** Every file of the run but the attestation itself. */
  subject: z.array(resource).min(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.looseObject({
    result: z.enum(["PASSED", "FAILED"]),
    /** The manifest. */
    configuration: z.array(resource),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
  }),
});
