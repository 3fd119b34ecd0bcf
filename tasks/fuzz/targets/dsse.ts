// DSSE envelopes: read against a second reading with Node's base64 and a strict
// alphabet, and verified against Node's own Ed25519. The key is fixed, and what
// it never signed must not be taken.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as node from "node:crypto";
import type { JsonObject } from "../../../lib/agent/json.ts";
import { readObject } from "../../../lib/evidence/evidence_files.ts";
import {
  envelopeJson,
  isSignedBy,
  readEnvelope,
} from "../../../lib/evidence/receipts/dsse.ts";
import type { Random } from "../../../tests/expression_generator.ts";
import { assertMessage, shapeOf, twice } from "../answer_rules.ts";
import { bytesOf, type FuzzTarget, textOf } from "../fuzz_target.ts";
import { FUZZ_KEY } from "../fuzz_key.ts";
import { JSON_WORDS, mutateJson } from "../json_grammar.ts";
import { judgeJson, losesNumber } from "../judge_json.ts";

/** Fuzzes envelopes, their signatures included. */
export async function dsseTarget(read = readEnvelope): Promise<FuzzTarget> {
  const publicKey = await crypto.subtle.importKey(
    "spki",
    FUZZ_KEY.spki,
    "Ed25519",
    true,
    ["verify"],
  );
  return {
    name: "dsse",
    maxBytes: 4_096,
    words: [
      ...JSON_WORDS,
      ..."payload payloadType signatures sig keyid = == === - _ + / AA== AB== A"
        .split(" "),
      ...["AAAA", "AA=", "AA", "Zg==", "Zh==", "Z g==", "Zg==\n", "\u00e9"],
    ],
    generate: (random) => bytesOf(JSON.stringify(writeEnvelope(random))),
    mutate: (input, random) =>
      random.chance(50) ? mutateJson(input, random) : respell(input, random),
    judge: (input) => judge(input, read, publicKey),
  };
}

async function judge(
  input: Uint8Array,
  read: typeof readEnvelope,
  key: CryptoKey,
): Promise<string> {
  const object = twice(() => readObject(input));
  const json = judgeJson(input, 32);
  const isObject = json.ok && typeof json.value === "object" &&
    json.value !== null && !Array.isArray(json.value) && !losesNumber(input);
  assert.equal(typeof object !== "string", isObject, "one JSON object");
  if (typeof object === "string") {
    assertMessage(object, 256);
    return shapeOf(object);
  }
  const found = twice(() => read(object));
  const second = secondReading(object);
  if (typeof found === "string") {
    assert.equal(second, null, `refused, where it is an envelope: ${found}`);
    assertMessage(found, 128);
    return found;
  }
  assert.deepEqual(
    {
      payload: Buffer.from(found.payload),
      type: found.payloadType,
      signatures: found.signatures.map(({ keyid, sig }) => [
        keyid,
        Buffer.from(sig),
      ]),
    },
    second,
  );
  assert.deepEqual(read(envelopeJson(found)), found, "written down again");
  const signed = await isSignedBy(found, key);
  const type = bytesOf(found.payloadType);
  const encoded = Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${found.payload.length} `),
    found.payload,
  ]);
  const nodesKey = node.createPublicKey({
    key: Buffer.from(FUZZ_KEY.spki),
    format: "der",
    type: "spki",
  });
  const expected = found.signatures.some(({ sig }) =>
    node.verify(null, encoded, nodesKey, sig)
  );
  assert.equal(signed, expected, "signed, by Node");
  const forgedNothing = SIGNED.some(([type, payload]) =>
    type === found.payloadType &&
    payload === Buffer.from(found.payload).toString()
  );
  if (signed) assert.ok(forgedNothing, "a signature over what nobody signed");
  return `envelope ${Math.min(found.signatures.length, 3)} ${signed}`;
}

/** What the key signs: a type and a payload each. */
const SIGNED: readonly (readonly [string, string])[] = [
  ["application/vnd.in-toto+json", "{}"],
  ["a", "b c"],
  ["", ""],
];

function secondReading(value: JsonObject): unknown {
  const { payload, payloadType, signatures } = value;
  const bytes = strictBase64(payload);
  if (bytes === null || typeof payloadType !== "string") return null;
  if (!Array.isArray(signatures) || signatures.length === 0) return null;
  const read = [];
  for (const signature of signatures) {
    if (typeof signature !== "object" || signature === null) return null;
    if (Array.isArray(signature)) return null;
    const { keyid = null, sig } = signature as Record<string, unknown>;
    const sigBytes = strictBase64(sig);
    if (sigBytes === null || keyid !== null && typeof keyid !== "string") {
      return null;
    }
    read.push([keyid, sigBytes]);
  }
  return { payload: bytes, type: payloadType, signatures: read };
}

/** Padded, in either alphabet, without a bit that says nothing. */
function strictBase64(text: unknown): Buffer | null {
  if (typeof text !== "string" || text.length % 4 !== 0) return null;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Buffer.from(standard, "base64");
  return bytes.toString("base64") === standard ? bytes : null;
}

/** One of the base64 texts spelled otherwise, mostly wrongly. */
function respell(input: Uint8Array, random: Random): Uint8Array {
  const found = [...textOf(input).matchAll(/"([A-Za-z0-9+/_=-]{2,})"/g)];
  if (found.length === 0) return input;
  const { index, 1: base64 = "" } = random.pick(found);
  const at = random.chance(60)
    ? Math.max(0, base64.length - 1 - random.below(3))
    : random.below(base64.length);
  const cut = random.below(2);
  const put = random.pick([..." =-_+/AB", "", "\\n", "==", "\u00e9"]);
  const changed = base64.slice(0, at) + put + base64.slice(at + cut);
  const text = textOf(input);
  return bytesOf(
    text.slice(0, index + 1) + changed +
      text.slice(index + 1 + base64.length),
  );
}

function writeEnvelope(random: Random): JsonObject {
  const [payloadType, payload] = random.pick(SIGNED);
  const bytes = bytesOf(payload);
  const signed = Buffer.from(
    `DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} ${payload}`,
  );
  const sig = node.sign(null, signed, {
    key: Buffer.from(FUZZ_KEY.pkcs8),
    format: "der",
    type: "pkcs8",
  });
  const text = (value: Uint8Array) =>
    value.toBase64({ alphabet: random.pick(["base64", "base64url"]) });
  const other = () => ({
    keyid: "k",
    sig: text(new Uint8Array(random.below(66))),
  });
  return {
    payload: text(bytes),
    payloadType: random.chance(90) ? payloadType : random.pick(SIGNED)[0],
    signatures: [
      ...random.chance(30) ? [other()] : [],
      { ...random.chance(50) ? { keyid: "k" } : {}, sig: text(sig) },
      ...random.chance(30) ? [other()] : [],
    ],
  };
}
