import assert from "node:assert/strict";
import { schema, SCHEMAS } from "./schema.ts";
import { SCHEMA_NAMES } from "./schema_names.ts";
import { attestationBytes } from "../evidence/receipts/attestation.ts";
import {
  generateKeys,
  keyIdOf,
  readPrivateKey,
  readPublicKey,
} from "../evidence/receipts/signing_key.ts";
import { compareRuns } from "../evidence/comparison.ts";
import { comparisonJson } from "../evidence/comparison_json.ts";
import { runViewJson } from "../evidence/run_view_json.ts";
import { verificationJson } from "../evidence/verify_report.ts";
import { DENIALS } from "../lab/contract/denial_codes.ts";
import { refusal } from "../lab/observation.ts";
import { StdioSource } from "../source/stdio_source.ts";
import { diskFiles } from "../system/files.ts";
import { z } from "../system/zod.ts";
import {
  conductBaseline,
  freshFolder,
  recoverLabRun,
  unflushedFiles,
} from "../../tests/baseline_in_process.ts";
import { tinycoder } from "../../tests/launched.ts";
import { stateRun } from "./lab_attestation.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { openRunView } from "./lab_view.ts";
import type { Terminal } from "./terminal.ts";
import { verifyFolder } from "./verify.ts";

/** Parses a value as `schema NAME` says; the issues, one a line. */
function issues(name: keyof typeof SCHEMAS, value: unknown): string {
  const parsed = SCHEMAS[name]().safeParse(JSON.parse(JSON.stringify(value)));
  return parsed.success ? "" : z.prettifyError(parsed.error);
}

Deno.test("schema() offers every format that has one, as JSON Schema", () => {
  for (const name of SCHEMA_NAMES) {
    let out = "";
    const terminal: Pick<Terminal, "out"> = { out: (text) => out += text };
    assert.equal(
      schema({ operands: [name], options: {} }, terminal as Terminal),
      0,
    );
    assert.deepEqual(
      JSON.parse(out),
      JSON.parse(JSON.stringify(z.toJSONSchema(SCHEMAS[name]()))),
      name,
    );
  }
});

Deno.test("schema() describes what a run, its view and its verification are", async () => {
  using folder = freshFolder();
  const { path } = folder;
  await conductBaseline(unflushedFiles, path);
  const read = (name: string) => Deno.readTextFileSync(`${path}/${name}`);
  const found = async () => {
    const view = openRunView(diskFiles, path);
    const comparison = compareRuns(view, view, LAB_WORDS);
    const verification = await verifyFolder(diskFiles, path, "run");
    return {
      verification: verificationJson(verification),
      view: runViewJson(view),
      comparison: comparisonJson(comparison, [view, view], LAB_WORDS),
    };
  };
  const check = async () => {
    const { verification, view, comparison } = await found();
    assert.equal(issues("comparison", comparison), "");
    assert.equal(issues("verification", verification), "");
    assert.equal(issues("run-view", view), "");
  };
  await check();
  assert.equal(issues("manifest", JSON.parse(read("manifest.json"))), "");
  assert.equal(issues("final", JSON.parse(read("final.json"))), "");
  for (const line of read("audit.jsonl").trim().split("\n")) {
    const { event, kind, content, ...rest } = JSON.parse(line);
    assert.equal(issues("record", { event, kind, content, ...rest }), "");
    assert.equal(issues("events", { event, kind, content }), "");
    if (event !== "observation_made") continue;
    assert.equal(issues("observation", content.observation), "");
  }

  const audit = read("audit.jsonl");
  const torn = audit.slice(0, audit.lastIndexOf("edit_committed"));
  Deno.writeTextFileSync(`${path}/audit.jsonl`, torn);
  Deno.removeSync(`${path}/final.json`);
  await check(); // unfinished, and refused
  await recoverLabRun(unflushedFiles, path);
  await check(); // recovered, with a torn tail
  assert.equal(issues("final", JSON.parse(read("final.json"))), "");
});

Deno.test("schema() describes every refusal, and no other code", () => {
  const { observation } = refusal({
    action: "test",
    error: "read_required",
    message: "Read toy_math.py before testing it",
    version: 0,
  });
  for (const error of Object.keys(DENIALS)) {
    assert.equal(issues("observation", { ...observation, error }), "");
  }
  const { action: _, ...unnamed } = observation;
  assert.equal(issues("observation", unnamed), "");
  for (const part of [{ error: "other" }, { ok: true }, { action: "write" }]) {
    assert.notEqual(issues("observation", { ...observation, ...part }), "");
  }
});

Deno.test("schema() describes what a lab run's final report adds", async () => {
  using folder = freshFolder();
  const { path } = folder;
  await conductBaseline(unflushedFiles, path);
  const final = JSON.parse(Deno.readTextFileSync(`${path}/final.json`));
  for (
    const name of [
      "version",
      "sha256",
      "last_public_test",
      "finish",
      "public",
      "held_out",
      "final_evaluation",
      "stop_reason",
    ]
  ) assert.notEqual(issues("final", { ...final, [name]: "other" }), "", name);
});

Deno.test("schema() describes the lines of the stdio protocol, both ways", async () => {
  using folder = freshFolder();
  await conductBaseline(unflushedFiles, folder.path);
  const read = (name: string) =>
    Deno.readTextFileSync(`${folder.path}/${name}`);
  let told = "";
  const source = new StdioSource({
    input: new ReadableStream(),
    write: (bytes) => {
      told += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
    cancel: () => {},
  });
  for (const line of read("audit.jsonl").trim().split("\n")) {
    const { event, content, proposal_number: proposalNumber } = JSON.parse(
      line,
    );
    if (event === "request_assembled") {
      source.propose({ proposalNumber, ...content }, { deadline: 9_000.5 });
    }
    if (event === "observation_made") {
      source.sendObservation(proposalNumber, content.observation);
    }
  }
  await source.sendFinal(JSON.parse(read("final.json")), true);
  const lines = told.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    new Set(lines.map(({ type }) => type)),
    new Set(["hello", "request", "observation", "final"]),
  );
  for (
    const line of [
      ...lines,
      { proposal_number: 1, proposal: "{}" },
      { proposal_number: 1, proposal_base64: "e30=" },
      { cancel: true },
    ]
  ) assert.equal(issues("stdio", line), "", JSON.stringify(line));
  for (
    const line of [
      ...lines.map((line) => ({ ...line, more: 1 })),
      { proposal_number: 1 },
      { proposal_number: 1, proposal: "{}", proposal_base64: "e30=" },
      { proposal_number: 1.5, proposal: "{}" },
      { cancel: false },
    ]
  ) assert.notEqual(issues("stdio", line), "", JSON.stringify(line));
});

Deno.test("schema() describes a signature and what it states", async () => {
  using folder = freshFolder();
  await conductBaseline(unflushedFiles, folder.path);
  const { privatePem, publicPem } = await generateKeys();
  const { statement } = await stateRun(diskFiles, folder.path);
  assert.ok(statement !== null);
  assert.equal(issues("statement", statement), "");
  const bytes = await attestationBytes(
    statement,
    await readPrivateKey(privatePem),
    await keyIdOf(await readPublicKey(publicPem)),
  );
  const attestation = JSON.parse(new TextDecoder().decode(bytes));
  assert.equal(issues("attestation", attestation), "");
  assert.notEqual(issues("attestation", { ...attestation, payload: "?" }), "");
});

Deno.test("schema() describes a replay", async () => {
  using folder = freshFolder();
  const run = (...args: string[]) => tinycoder(folder.path, args);
  assert.equal((await run("--run", "run", "--quiet")).code, 0);
  const { out } = await run("replay", "run", "--run", "again", "--json");
  assert.equal(issues("replay", JSON.parse(out)), "");
});
