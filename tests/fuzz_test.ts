// That the fuzzing works: every target is quiet over the program's own parser
// for a few inputs, and finds a parser that is wrong on purpose. The long runs
// are `tasks/fuzz.ts`.

import assert from "node:assert/strict";
import { verifyFolder } from "../lib/cli/verify.ts";
import { attestationDifference } from "../lib/evidence/receipts/attestation.ts";
import { readEnvelope } from "../lib/evidence/receipts/dsse.ts";
import { admitProposal } from "../lib/lab/contract/admit_proposal.ts";
import { admitExpression } from "../lib/lab/expression/admit_expression.ts";
import { readSource } from "../lib/lab/expression/source_wrapper.ts";
import { parseLedger } from "../lib/acquire/ledger_format.ts";
import { readCheckpointManifest } from "../lib/model/checkpoint_manifest.ts";
import { qwen2Graph } from "../lib/model/qwen2_graph.ts";
import { readSafetensorsHeader } from "../lib/model/safetensors_header.ts";
import { readInputLine } from "../lib/source/stdio_source.ts";
import { scanJson } from "../lib/system/strict_json.ts";
import { fuzz } from "../tasks/fuzz/fuzz_loop.ts";
import { bytesOf, type FuzzTarget, textOf } from "../tasks/fuzz/fuzz_target.ts";
import { minimise } from "../tasks/fuzz/minimise.ts";
import { readSeeds } from "../tasks/fuzz/seeds.ts";
import { TARGETS } from "../tasks/fuzz/targets.ts";
import { auditTarget, readAudit } from "../tasks/fuzz/targets/audit.ts";
import { checkpointManifestTarget } from "../tasks/fuzz/targets/checkpoint_manifest.ts";
import { dsseTarget } from "../tasks/fuzz/targets/dsse.ts";
import { evidenceTarget } from "../tasks/fuzz/targets/evidence.ts";
import { expressionTarget } from "../tasks/fuzz/targets/expression.ts";
import { jsonScannerTarget } from "../tasks/fuzz/targets/json_scanner.ts";
import { ledgerTarget } from "../tasks/fuzz/targets/ledger.ts";
import { onnxGraphTarget } from "../tasks/fuzz/targets/onnx_graph.ts";
import { proposalTarget } from "../tasks/fuzz/targets/proposal.ts";
import { safetensorsTarget } from "../tasks/fuzz/targets/safetensors.ts";
import { sourceWrapperTarget } from "../tasks/fuzz/targets/source_wrapper.ts";
import { statementTarget } from "../tasks/fuzz/targets/statement.ts";
import { stdioTarget } from "../tasks/fuzz/targets/stdio.ts";

/** A target over a parser with one fault. */
const WRONG: Readonly<
  Record<string, () => FuzzTarget | Promise<FuzzTarget>>
> = {
  // One level of nesting too many.
  json_scanner: () =>
    jsonScannerTarget((bytes, { maxDepth }) =>
      scanJson(bytes, { maxDepth: maxDepth + 1 })
    ),
  // Another code.
  proposal: () =>
    proposalTarget((bytes) => {
      const found = admitProposal(bytes);
      return found.ok || found.error !== "invalid_value"
        ? found
        : { ...found, error: "invalid_type" };
    }),
  // Spaces around an expression.
  expression: () =>
    expressionTarget((name, text) => admitExpression(name, text.trim())),
  // A tab for four spaces.
  source_wrapper: () =>
    sourceWrapperTarget((bytes) =>
      readSource(bytesOf(textOf(bytes).replaceAll("\t", "")))
    ),
  // A carriage return that nobody sees.
  audit: () => auditTarget((bytes) => readAudit(bytes.filter((b) => b !== 13))),
  // A final report that nobody compares.
  evidence: () =>
    evidenceTarget(async (...args) => {
      const found = await verifyFolder(...args);
      return found.discrepancy?.check === "final report"
        ? { ...found, holds: true, discrepancy: null }
        : found;
    }),
  // Bytes that belong to no tensor.
  safetensors: () =>
    safetensorsTarget((fileBytes, read) => {
      try {
        return readSafetensorsHeader(fileBytes, read);
      } catch (thrown) {
        if (/after the last tensor/.test(String(thrown))) return new Map();
        throw thrown;
      }
    }),
  // Heads that share too much.
  onnx_graph: () =>
    onnxGraphTarget((config, ...rest) =>
      qwen2Graph({ ...config, keyValueHeads: 1 }, ...rest)
    ),
  // Base64 with spaces.
  dsse: () =>
    dsseTarget((value) => {
      const { payload } = value;
      return readEnvelope(
        typeof payload === "string"
          ? { ...value, payload: payload.replaceAll(" ", "") }
          : value,
      );
    }),
  // Test results that nobody compares.
  statement: () =>
    statementTarget(async (...args) => {
      const found = await attestationDifference(...args);
      return found?.field?.startsWith("predicate.") ? null : found;
    }),
  // An unknown key that does no harm.
  stdio: () =>
    stdioTarget((bytes) => {
      const found = readInputLine(bytes);
      return found.kind === "malformed" && /unknown key/.test(found.detail)
        ? { kind: "cancel" }
        : found;
    }),
  // An empty list of end tokens.
  checkpoint_manifest: () =>
    checkpointManifestTarget((bytes) =>
      readCheckpointManifest(
        bytesOf(textOf(bytes).replace('"end":[]', '"end":[0]')),
      )
    ),
  // A seal that nobody compares.
  ledger: () =>
    ledgerTarget((bytes) => {
      const found = parseLedger(bytes);
      if (found.ok || !/changed after/.test(found.why)) return found;
      const { content_sha256: _, ...content } = JSON.parse(textOf(bytes));
      return { ok: true, content };
    }),
};

/** The engine and a whole verification take longer for an input. */
const SLOW: Readonly<Record<string, number>> = { evidence: 25, onnx_graph: 60 };

const QUIET = 150;
const MOST = 4_000;

Deno.test("TARGETS all have seeds, and a parser that is wrong on purpose", () => {
  assert.deepEqual(Object.keys(WRONG), Object.keys(TARGETS));
  for (const name of Object.keys(TARGETS)) {
    assert.ok(readSeeds(name).length > 0, name);
  }
});

for (const [name, make] of Object.entries(TARGETS)) {
  Deno.test(`fuzz() finds nothing in a short run over ${name}`, async () => {
    const target = await make();
    const executions = SLOW[name] ?? QUIET;
    const report = await fuzz(target, readSeeds(name), {
      seed: 16,
      executions,
    });
    target.end?.();
    assert.deepEqual(report.findings, []);
    assert.equal(report.executions, executions);
    assert.ok(report.kinds > 3, `${report.kinds} kinds of answers`);
  });

  Deno.test(`fuzz() finds a wrong parser in the place of ${name}`, async () => {
    const target = await WRONG[name]!();
    const report = await fuzz(target, readSeeds(name), {
      seed: 16,
      executions: MOST,
      mostFindings: 1,
      tries: 40,
    });
    target.end?.();
    const [finding] = report.findings;
    assert.ok(finding !== undefined, `${report.executions} inputs`);
    await assert.rejects(async () => await target.judge(finding.input));
  });
}

Deno.test("minimise() leaves only what keeps a finding", async () => {
  const input = bytesOf("some text; a [ b ] c, and then more text");
  const least = await minimise(
    input,
    (one) => Promise.resolve(/\[.+\]/.test(textOf(one))),
  );
  assert.equal(textOf(least), "[ ]");
});

Deno.test("tasks/fuzz.ts fuzzes with V8's coverage and ends with figures", async () => {
  const run = (...args: readonly string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--allow-all",
        new URL("../tasks/fuzz.ts", import.meta.url).pathname,
        ...args,
      ],
    }).output();
  const { code, stdout, stderr } = await run("expression", "--minutes", "0.01");
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0, text + new TextDecoder().decode(stderr));
  assert.match(text, /^expression: \d+ executions in \d+ s, .*0 findings, /m);
  assert.equal((await run("nothing")).code, 2);
});
