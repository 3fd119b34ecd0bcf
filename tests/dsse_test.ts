// Signatures against another implementation, against the specification's own
// vector, and against every file of a run.

import assert from "node:assert/strict";
import type { JsonObject } from "../lib/agent/json.ts";
import { stateRun, verifySignedRun } from "../lib/cli/lab_attestation.ts";
import {
  attestationBytes,
  signedFileDifference,
} from "../lib/evidence/receipts/attestation.ts";
import {
  envelopeJson,
  isSignedBy,
  preAuthEncoding,
  readEnvelope,
  signEnvelope,
} from "../lib/evidence/receipts/dsse.ts";
import {
  generateKeys,
  keyIdOf,
  readPrivateKey,
  readPublicKey,
} from "../lib/evidence/receipts/signing_key.ts";
import { verificationSchema } from "../lib/evidence/verification_schema.ts";
import { verificationJson } from "../lib/evidence/verify_report.ts";
import {
  STATEMENT_PAYLOAD_TYPE,
  statementBytes,
} from "../lib/evidence/receipts/statement.ts";
import type { Files } from "../lib/system/files.ts";
import { MEMORY_FOLDER, memoryFiles, type RunFiles } from "./memory_files.ts";
import { withFile } from "./mutants.ts";
import { sweptRuns } from "./swept_runs.ts";

const runs = await sweptRuns();
const baseline = runs[0]!.files;
const { privatePem, publicPem } = await generateKeys();
const publicKey = await readPublicKey(publicPem);
const keyId = await keyIdOf(publicKey);

/** Asks securesystemslib. */
async function reference(asked: JsonObject): Promise<JsonObject> {
  const child = new Deno.Command("python3", {
    args: [new URL("dsse_reference.py", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(JSON.stringify(asked)));
  await input.close();
  const { success, stdout, stderr } = await child.output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function statementOf(run: RunFiles): Promise<JsonObject> {
  const { statement } = await stateRun(memoryFiles(run), MEMORY_FOLDER);
  assert.ok(statement !== null);
  return statement;
}

async function signed(run: RunFiles): Promise<RunFiles> {
  const key = await readPrivateKey(privatePem);
  const bytes = await attestationBytes(await statementOf(run), key, keyId);
  return withFile(run, "attestation.json", bytes);
}

function verifySigned(run: RunFiles, key = publicKey) {
  return verifySignedRun(memoryFiles(run), MEMORY_FOLDER, key);
}

Deno.test("preAuthEncoding() and isSignedBy() agree with DSSE's own vector", async () => {
  const type = "http://example.com/HelloWorld";
  const payload = new TextEncoder().encode("hello world");
  const signedBytes = preAuthEncoding(type, payload);
  assert.equal(
    new TextDecoder().decode(signedBytes),
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
  // The vector is ECDSA's; that its signature is over our bytes is the point.
  const coordinate = (digits: string) =>
    Uint8Array.fromHex(BigInt(digits).toString(16).padStart(64, "0"))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey(
    "jwk",
    {
      kty: "EC",
      crv: "P-256",
      x: coordinate(
        "46950820868899156662930047687818585632848591499744589407958293238635476079160",
      ),
      y: coordinate(
        "5640078356564379163099075877009565129882514886557779369047442380624545832820",
      ),
    },
    algorithm,
    false,
    ["verify"],
  );
  const envelope = readEnvelope({
    payload: "aGVsbG8gd29ybGQ=",
    payloadType: type,
    signatures: [{
      sig:
        "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIA" +
        "riEGAHTVeCUjW2JIZA==",
    }],
  });
  assert.ok(typeof envelope !== "string");
  const { sig } = envelope.signatures[0]!;
  assert.ok(
    await crypto.subtle.verify(
      { name: "ECDSA", hash: "SHA-256" },
      key,
      new Uint8Array(sig),
      signedBytes,
    ),
  );
});

Deno.test("preAuthEncoding() counts bytes, not characters", () => {
  const bytes = preAuthEncoding("é", new TextEncoder().encode("€"));
  assert.equal(new TextDecoder().decode(bytes), "DSSEv1 2 é 3 €");
});

Deno.test("attestationBytes() makes what securesystemslib verifies", async () => {
  const files = await signed(baseline);
  const text = new TextDecoder().decode(files.get("attestation.json"));
  const asked = {
    verify: JSON.parse(text),
    public_pem: publicPem,
    keyid: keyId,
  };
  assert.deepEqual(await reference(asked), { ok: true });
  const other = await generateKeys();
  assert.deepEqual(
    await reference({ ...asked, public_pem: other.publicPem }),
    { ok: false },
  );
});

Deno.test("verifySignedRun() takes what securesystemslib signs", async () => {
  const payload = statementBytes(await statementOf(baseline)).toBase64();
  const answer = await reference({
    sign: payload,
    payload_type: STATEMENT_PAYLOAD_TYPE,
  });
  const text = JSON.stringify(answer["envelope"]);
  const files = withFile(
    baseline,
    "attestation.json",
    new TextEncoder().encode(text),
  );
  const key = await readPublicKey(String(answer["public_pem"]));
  assert.deepEqual((await verifySigned(files, key)).discrepancy, null);
  assert.equal(
    (await verifySigned(files)).discrepancy?.message,
    "It isn't signed by this key",
  );
});

Deno.test("verifySignedRun() holds for every kind of run once it is signed", async () => {
  for (const { name, files } of runs) {
    const { holds, checks } = await verifySigned(await signed(files));
    assert.ok(holds, name);
    assert.deepEqual(checks.at(-1), {
      name: "signature",
      checked: files.size,
      state: "holds",
    });
  }
});

Deno.test("verifySignedRun() refuses a signature of another run", async () => {
  const files = withFile(
    baseline,
    "attestation.json",
    (await signed(runs[1]!.files)).get("attestation.json")!,
  );
  const { discrepancy } = await verifySigned(files);
  assert.equal(discrepancy?.file, "audit.jsonl");
  assert.equal(discrepancy.message, "Its bytes aren't those that were signed");
});

Deno.test("verifySignedRun() refuses what only the key's owner can have signed otherwise", async () => {
  const key = await readPrivateKey(privatePem);
  const statement = await statementOf(baseline);
  const predicate = statement["predicate"] as JsonObject;
  const altered: readonly (readonly [string, JsonObject])[] = [
    ["predicate.result", {
      ...statement,
      predicate: { ...predicate, result: "FAILED" },
    }],
    ["predicate.passedTests.12", {
      ...statement,
      predicate: {
        ...predicate,
        passedTests: [...predicate["passedTests"] as string[], "more"],
      },
    }],
    ["predicateType", { ...statement, predicateType: "another" }],
    ["_type", { ...statement, _type: "https://in-toto.io/Statement/v0.1" }],
  ];
  for (const [field, other] of altered) {
    const bytes = await attestationBytes(other, key, keyId);
    const files = withFile(baseline, "attestation.json", bytes);
    const { holds, discrepancy } = await verifySigned(files);
    assert.equal(holds, false);
    assert.equal(discrepancy?.field, field);
  }
});

Deno.test("verifySignedRun() names the file that isn't as it was signed", async () => {
  const key = await readPrivateKey(privatePem);
  const statement = await statementOf(baseline);
  const subject = statement["subject"] as JsonObject[];
  const other = { name: "workspace/z", digest: { sha256: "0".repeat(64) } };
  const altered: readonly (readonly [string, string, JsonObject[]])[] = [
    [
      "audit.jsonl",
      "Its bytes aren't those that were signed",
      subject.with(0, { ...other, name: "audit.jsonl" }),
    ],
    ["workspace/z", "The file was signed, and is missing", [...subject, other]],
    [
      "workspace/toy_math.py",
      "The file wasn't there when it was signed",
      subject.slice(0, -1),
    ],
  ];
  for (const [file, message, signed] of altered) {
    const bytes = await attestationBytes(
      { ...statement, subject: signed },
      key,
      keyId,
    );
    const files = withFile(baseline, "attestation.json", bytes);
    const { discrepancy } = await verifySigned(files);
    assert.deepEqual([discrepancy?.file, discrepancy?.message], [
      file,
      message,
    ]);
  }
});

Deno.test("verifySignedRun() names the altered file where the chain can't", async () => {
  const files = await signed(baseline);
  const text = new TextDecoder().decode(files.get("audit.jsonl")!);
  const altered = withFile(
    files,
    "audit.jsonl",
    new TextEncoder().encode(
      text.replace('"monotonic_ms":', '"monotonic_ms":1'),
    ),
  );
  const note = "What the key signed differs first in audit.jsonl: its bytes " +
    "aren't those that were signed.";
  const found = await verifySigned(altered);
  assert.deepEqual([found.discrepancy?.check, found.notes.at(-1)], [
    "records",
    note,
  ]);
  const unreadable: Files = {
    ...memoryFiles(altered),
    list: () => {
      throw new Deno.errors.PermissionDenied("not yours");
    },
  };
  assert.equal(
    await signedFileDifference(unreadable, MEMORY_FOLDER, publicKey),
    null,
  );
  const other = await readPublicKey((await generateKeys()).publicPem);
  assert.ok(!(await verifySigned(altered, other)).notes.includes(note));
});

Deno.test("verifySignedRun() tells its discrepancies apart by a code", async () => {
  const files = await signed(baseline);
  const without = (name: string) =>
    new Map([...files].filter(([one]) => one !== name));
  const source = "workspace/toy_math.py";
  const text = new TextEncoder().encode("x\n");
  const cases: readonly (readonly [string, RunFiles])[] = [
    ["unfinished", without("final.json")],
    ["changed", withFile(files, "final.json", text)],
    ["changed", withFile(files, "manifest.json", text)],
    ["changed", withFile(files, source, text)],
    ["extra_file", withFile(files, "z", text)],
    ["extra_file", withFile(files, "workspace/z", text)],
    ["missing_file", without("manifest.json")],
    ["missing_file", without("audit.jsonl")],
    ["missing_file", without(source)],
    ["unsigned", baseline],
  ];
  for (const [code, altered] of cases) {
    const verification = await verifySigned(altered);
    assert.equal(verification.discrepancy?.code, code);
    verificationSchema.parse(verificationJson(verification));
  }
  const other = await readPublicKey((await generateKeys()).publicPem);
  assert.equal(
    (await verifySigned(files, other)).discrepancy?.code,
    "other_key",
  );
});

Deno.test("verifySignedRun() ignores fields that in-toto may add, and the subjects' order", async () => {
  const key = await readPrivateKey(privatePem);
  const statement = await statementOf(baseline);
  const bytes = await attestationBytes(
    {
      ...statement,
      subject: (statement["subject"] as JsonObject[]).map((one) => ({
        ...one,
        uri: "https://x",
        digest: { ...one["digest"] as JsonObject, gitBlob: "00" },
      })).reverse(),
      added: 1,
      predicate: { ...statement["predicate"] as JsonObject, url: "https://x" },
    },
    key,
    keyId,
  );
  const files = withFile(baseline, "attestation.json", bytes);
  assert.equal((await verifySigned(files)).discrepancy, null);
});

Deno.test("verifySignedRun() refuses damaged attestations, each in a sentence", async () => {
  const files = await signed(baseline);
  const bytes = files.get("attestation.json")!;
  const envelope = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
  const [signature] = envelope["signatures"] as [JsonObject];
  const damages: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^The file is missing$/],
    ["", /^The file is empty$/],
    ["[]", /^It isn't one JSON object$/],
    ['{"payload":"","payload":""}', /^It isn't one JSON object: /],
    [{ ...envelope, payload: "?" }, /^Its payload isn't base64$/],
    [{ ...envelope, payloadType: 1 }, /^It names no payload type$/],
    [{ ...envelope, payloadType: "a/b" }, /^It isn't signed by this key$/],
    [{ ...envelope, signatures: {} }, /^It has no list of signatures$/],
    [{ ...envelope, signatures: [] }, /^It has no signature$/],
    [{ ...envelope, signatures: [1] }, /^A signature isn't an object$/],
    [
      { ...envelope, signatures: [{ ...signature, sig: "AA==" }] },
      /^It isn't signed by this key$/,
    ],
    [
      { ...envelope, signatures: Array(17).fill(signature) },
      /^It has over 16 signatures$/,
    ],
    [
      { ...envelope, signatures: [{ ...signature, keyid: 1 }] },
      /^A signature's keyid isn't a text$/,
    ],
  ];
  for (const [damage, message] of damages) {
    const text = typeof damage === "string" ? damage : JSON.stringify(damage);
    const altered = damage === undefined
      ? baseline
      : withFile(baseline, "attestation.json", new TextEncoder().encode(text));
    const { holds, discrepancy } = await verifySigned(altered);
    assert.equal(holds, false);
    assert.match(discrepancy!.message, message);
  }
});

Deno.test("readEnvelope() takes both alphabets of base64, as DSSE asks", async () => {
  const key = await readPrivateKey(privatePem);
  const payload = Uint8Array.of(0xfb, 0xff, 0xfe);
  const envelope = await signEnvelope("a/b", payload, key, keyId);
  const json = envelopeJson(envelope);
  const urlSafe = {
    ...json,
    payload: payload.toBase64({ alphabet: "base64url" }),
  };
  assert.notDeepEqual(json, urlSafe);
  for (const form of [json, urlSafe]) {
    const read = readEnvelope(form);
    assert.ok(typeof read !== "string");
    assert.deepEqual(read.payload, payload);
    assert.ok(await isSignedBy(read, publicKey));
  }
});

Deno.test("verifySignedRun() takes the last of as many signatures as it tries", async () => {
  const files = await signed(baseline);
  const text = new TextDecoder().decode(files.get("attestation.json")!);
  const envelope = JSON.parse(text) as JsonObject;
  const [own] = envelope["signatures"] as [JsonObject];
  const signatures = [...Array(15).fill({ ...own, sig: "AA==" }), own];
  const bytes = new TextEncoder().encode(
    JSON.stringify({ ...envelope, signatures }),
  );
  const altered = withFile(baseline, "attestation.json", bytes);
  assert.equal((await verifySigned(altered)).discrepancy, null);
});
