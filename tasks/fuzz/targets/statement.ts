// A signed statement against the run's own. An input is the payload: the target
// signs it with its own key, so that what is compared after the signature is
// reached. What isn't the statement, unknown fields and the order of subjects
// apart, must differ.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../lib/agent/json.ts";
import { readObject } from "../../../lib/evidence/evidence_files.ts";
import { attestationDifference } from "../../../lib/evidence/receipts/attestation.ts";
import {
  envelopeJson,
  signEnvelope,
} from "../../../lib/evidence/receipts/dsse.ts";
import {
  runStatement,
  STATEMENT_PAYLOAD_TYPE,
} from "../../../lib/evidence/receipts/statement.ts";
import { sha256 } from "../../../lib/system/sha256.ts";
import { MEMORY_FOLDER, memoryFiles } from "../../../tests/memory_files.ts";
import { assertMessage, shapeOf } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget } from "../fuzz_target.ts";
import { FUZZ_KEY } from "../fuzz_key.ts";
import { JSON_WORDS, mutateJson } from "../json_grammar.ts";

/** The statement that the run makes. */
export const FUZZED_STATEMENT: JsonObject = runStatement(
  ["audit.jsonl", "final.json", "manifest.json"].map((name) => ({
    name,
    sha256: sha256(name),
  })),
  { verified_success: true },
  { passed: ["public/1", "held_out/1"], failed: ["public/2"] },
);

/** Fuzzes the comparison of statements. */
export async function statementTarget(
  differ = attestationDifference,
): Promise<FuzzTarget> {
  const [signing, verifying] = await Promise.all([
    crypto.subtle.importKey("pkcs8", FUZZ_KEY.pkcs8, "Ed25519", false, [
      "sign",
    ]),
    crypto.subtle.importKey("spki", FUZZ_KEY.spki, "Ed25519", true, ["verify"]),
  ]);
  const differenceOf = async (payload: Uint8Array) => {
    const envelope = await signEnvelope(
      STATEMENT_PAYLOAD_TYPE,
      payload,
      signing,
      "k",
    );
    const files = memoryFiles(
      new Map([[
        "attestation.json",
        bytesOf(JSON.stringify(envelopeJson(envelope))),
      ]]),
    );
    return await differ(files, MEMORY_FOLDER, verifying, FUZZED_STATEMENT);
  };
  return {
    name: "statement",
    maxBytes: 4_096,
    words: [
      ...JSON_WORDS,
      ..."_type subject predicateType predicate result configuration".split(
        " ",
      ),
      ..."passedTests warnedTests failedTests digest sha256 name PASSED".split(
        " ",
      ),
    ],
    generate: () => bytesOf(JSON.stringify(FUZZED_STATEMENT)),
    mutate: mutateJson,
    judge: async (input) => {
      const found = await differenceOf(input);
      assert.deepEqual(await differenceOf(input), found, "two answers differ");
      const payload = readObject(input);
      const same = typeof payload !== "string" && states(payload);
      assert.equal(found === null, same, `the statement: ${same}`);
      if (found === null) return "same";
      assertMessage(found.message, 256);
      return `${shapeOf(found.message)} ${found.field?.split(".")[0]}`;
    },
  };
}

/** Whether a payload says all that the statement says, and nothing against it. */
function states(payload: JsonObject): boolean {
  const plain = structuredClone(payload);
  const { predicate, subject } = plain;
  const wanted = structuredClone(FUZZED_STATEMENT);
  const known = (from: unknown, like: object) =>
    typeof from === "object" && from !== null && !Array.isArray(from)
      ? Object.fromEntries(
        Object.entries(from).filter(([key]) => Object.hasOwn(like, key)),
      )
      : from;
  const sorted = (list: unknown) =>
    Array.isArray(list)
      ? list.map((one) => JSON.stringify(inOrder(one))).sort()
      : list;
  return isDeepStrictEqual(
    inOrder({
      ...known(plain, wanted) as object,
      subject: sorted(subject),
      predicate: known(predicate, wanted["predicate"] as object),
    }),
    inOrder({ ...wanted, subject: sorted(wanted["subject"]) }),
  );
}

/** The same value with the keys of its objects sorted. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, one]) => [key, inOrder(one)]),
  );
}
