// Every target, by its name.

import type { FuzzTarget } from "./fuzz_target.ts";
import { auditTarget } from "./targets/audit.ts";
import { checkpointManifestTarget } from "./targets/checkpoint_manifest.ts";
import { dsseTarget } from "./targets/dsse.ts";
import { evidenceTarget } from "./targets/evidence.ts";
import { expressionTarget } from "./targets/expression.ts";
import { jsonScannerTarget } from "./targets/json_scanner.ts";
import { ledgerTarget } from "./targets/ledger.ts";
import { onnxGraphTarget } from "./targets/onnx_graph.ts";
import { proposalTarget } from "./targets/proposal.ts";
import { safetensorsTarget } from "./targets/safetensors.ts";
import { sourceWrapperTarget } from "./targets/source_wrapper.ts";
import { statementTarget } from "./targets/statement.ts";
import { stdioTarget } from "./targets/stdio.ts";

/** Makes each target, over the program's own parser. */
export const TARGETS: Readonly<
  Record<string, () => FuzzTarget | Promise<FuzzTarget>>
> = {
  json_scanner: jsonScannerTarget,
  proposal: proposalTarget,
  expression: expressionTarget,
  source_wrapper: sourceWrapperTarget,
  audit: auditTarget,
  evidence: evidenceTarget,
  safetensors: safetensorsTarget,
  onnx_graph: onnxGraphTarget,
  dsse: dsseTarget,
  statement: statementTarget,
  stdio: stdioTarget,
  checkpoint_manifest: checkpointManifestTarget,
  ledger: ledgerTarget,
};
