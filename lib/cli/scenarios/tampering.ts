// Makes a run, alters it, and holds what verification says against what it must
// say: the check, the file, and the place.

import { attestationBytes } from "../../evidence/receipts/attestation.ts";
import { ATTESTATION_NAME } from "../../evidence/receipts/attestation_name.ts";
import {
  generateKeys,
  keyIdOf,
  readPrivateKey,
  readPublicKey,
} from "../../evidence/receipts/signing_key.ts";
import { AUDIT_NAME } from "../../evidence/audit_writer.ts";
import { FINAL_NAME } from "../../evidence/final_report.ts";
import { recoverRun } from "../../evidence/recovery.ts";
import { scriptedSource } from "../../source/scripted_source.ts";
import { createWhole, diskFiles } from "../../system/files.ts";
import baseline from "../../../fixtures/baseline.json" with { type: "json" };
import { stateRun } from "../lab_attestation.ts";
import { evidenceOf } from "../lab_evidence.ts";
import { conductLabRun } from "../lab_run.ts";
import type { HandTurnedClock } from "./clock.ts";
import type { TamperingScenario } from "./format.ts";
import { scenarioGate, scenarioManifest } from "./manifest.ts";
import { findMismatch } from "./mismatch.ts";
import { type Outside, performAct } from "./outside.ts";
import { scenarioSource } from "./source.ts";
import { Stage } from "./stage.ts";
import { alterRun } from "./tampering_alterations.ts";
import { verifyFolder } from "../verify.ts";

/** What of a tampering scenario came otherwise than expected, a sentence each. */
export async function checkTampering(
  scenario: TamperingScenario,
  outside: Outside,
): Promise<string[]> {
  const { folder } = outside;
  const { closed, tampering, expect } = scenario;
  await conduct(scenario, outside);
  if (closed === "by_recovery") await dieAndRecover(folder, outside.clock);
  const key = closed === "signed" ? await signed(folder) : null;
  const verified = () => verifyFolder(diskFiles, folder, "the run", key);
  const before = await verified();
  if (!before.holds) {
    const { file, message } = before.discrepancy!;
    return [`the run doesn't hold before it is altered: ${file}: ${message}`];
  }
  for (const one of tampering) {
    if ("act" in one) performAct(one, outside);
    else alterRun(one, folder);
  }
  const { holds, discrepancy } = await verified();
  if (expect === "holds") {
    return holds ? [] : [`it is refused: ${discrepancy!.message}`];
  }
  if (discrepancy === null) return ["the altered run holds"];
  const mismatch = findMismatch(expect, { ...discrepancy }, "the finding");
  return mismatch === null ? [] : [mismatch];
}

function conduct(
  { attempts }: TamperingScenario,
  { folder, clock, word }: Outside,
): Promise<unknown> {
  diskFiles.makeFolder(folder);
  const isScripted = attempts === undefined;
  return conductLabRun({
    files: diskFiles,
    folder,
    manifest: scenarioManifest(clock, isScripted ? "scripted" : "scenario"),
    source: isScripted
      ? scriptedSource(baseline)
      : scenarioSource({ attempts }, new Stage([], () => {})),
    gate: scenarioGate(word, clock),
    clock,
  });
}

/** Leaves the run as a process that dies in the middle of a record leaves it. */
async function dieAndRecover(
  folder: string,
  clock: HandTurnedClock,
): Promise<void> {
  const path = `${folder}/${AUDIT_NAME}`;
  const audit = Deno.readTextFileSync(path);
  const receipt = audit.lastIndexOf('"event":"edit_committed"');
  Deno.writeTextFileSync(path, audit.slice(0, receipt));
  Deno.removeSync(`${folder}/${FINAL_NAME}`);
  await recoverRun({
    files: diskFiles,
    folder,
    clock,
    evidenceOf: evidenceOf(diskFiles, folder),
  });
}

/** Signs the run with a key that is made for it; its public half. */
async function signed(folder: string): Promise<CryptoKey> {
  const { privatePem, publicPem } = await generateKeys();
  const publicKey = await readPublicKey(publicPem);
  const { statement } = await stateRun(diskFiles, folder);
  if (statement === null) throw new Error("The run doesn't hold");
  const bytes = await attestationBytes(
    statement,
    await readPrivateKey(privatePem),
    await keyIdOf(publicKey),
  );
  createWhole(diskFiles, `${folder}/${ATTESTATION_NAME}`, bytes);
  return publicKey;
}
