// `tinycoder verify RUN`: hands a stranger the whole run to check, and says the
// first thing that differs.

import { canonicalJson } from "../evidence/audit_record.ts";
import { asClause } from "../evidence/evidence_files.ts";
import { FINAL_NAME, type FinalReport } from "../evidence/final_report.ts";
import type { RunView } from "../evidence/run_view.ts";
import { sourceWords } from "../evidence/run_words.ts";
import {
  type Discrepancy,
  type Verification,
  verificationJson,
} from "../evidence/verify_report.ts";
import { CHANGED, verifyUnfinished } from "../evidence/verify_unfinished.ts";
import { ATTESTATION_NAME } from "../evidence/receipts/attestation_name.ts";
import { readPublicKey } from "../evidence/receipts/signing_key.ts";
import { verifyRun } from "../evidence/verify.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { counted } from "../system/counted.ts";
import { isDenied, systemCode } from "../system/error_code.ts";
import { diskFiles, type Files } from "../system/files.ts";
import { readWords } from "../system/read_words.ts";
import { showSafely } from "../system/safe_text.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { existingRun } from "./existing_run.ts";
import { readKeyFile } from "./key_file.ts";
import { SIGNATURE, verifySignedRun } from "./lab_attestation.ts";
import { LAB_WORDS } from "./lab_task_words.ts";
import { verificationOf } from "./lab_verification.ts";
import { printedJson } from "./printed_json.ts";
import type { Terminal } from "./terminal.ts";
import { quoteTyped } from "./quote_typed.ts";
import { stopText } from "./run_summary.ts";

/** Verifies one run; exits with 4 where it doesn't hold. */
export async function verify(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const folder = existingRun(diskFiles, typed);
  const publicKey = options["publicKey"];
  const key = typeof publicKey === "string"
    ? await readKeyFile(diskFiles, publicKey, readPublicKey)
    : null;
  const verification = await verifyFolder(diskFiles, folder, typed, key);
  terminal.out(
    options["json"]
      ? printedJson(verificationJson(verification))
      : verificationText(verification, terminal.outColor),
  );
  return verification.holds ? EXIT.done : EXIT.evidence;
}

/**
 * Verifies the run in a folder.
 *
 * @param folder Its real path.
 * @param typed As the user named it, for messages.
 * @param key The signer's public key, where the signature is to be checked.
 * @throws {CommandError} where a file can't be read at all.
 */
export async function verifyFolder(
  files: Files,
  folder: string,
  typed: string,
  key: CryptoKey | null = null,
): Promise<Verification> {
  return await reading(typed, async () => {
    if (key !== null) return await verifySignedRun(files, folder, key);
    const verification = await verifyRun({
      files,
      folder,
      taskOf: verificationOf(files, folder),
    });
    return files.facts(`${folder}/${ATTESTATION_NAME}`) === null
      ? verification
      : { ...verification, notes: [...verification.notes, UNCHECKED] };
  });
}

/**
 * Verifies what a view shows of the run in a folder, over the same bytes.
 *
 * @param folder Its real path.
 * @param typed As the user named it, for messages.
 * @returns The first thing that differs, or null.
 * @throws {CommandError} where a file can't be read at all.
 */
export async function verifyView(
  files: Files,
  folder: string,
  typed: string,
  view: RunView,
): Promise<Discrepancy | null> {
  if (view.state === "unfinished") {
    const taskOf = verificationOf(files, folder);
    return await reading(
      typed,
      () => verifyUnfinished({ files, folder, taskOf }, view),
    );
  }
  const { discrepancy, final } = await verifyFolder(files, folder, typed);
  // A report names the heads of both chains, and the first record chains to the
  // manifest: whoever has the same report has the same run.
  const isSame = canonicalJson({ ...view.final }) === canonicalJson(final);
  return discrepancy !== null || isSame ? discrepancy : {
    code: "changed",
    check: "files",
    file: FINAL_NAME,
    line: null,
    event: null,
    field: null,
    message: CHANGED,
    expected: null,
    found: null,
  };
}

/**
 * Reads a run that a command verifies.
 *
 * @throws {CommandError} where a file can't be read.
 */
export async function reading<T>(
  typed: string,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (systemCode(error) === null && !isDenied(error)) throw error;
    // Another's files are refused; a disk that fails is a fault.
    const denied = isDenied(error);
    throw new CommandError(denied ? EXIT.refused : EXIT.harness, {
      what: `Cannot verify the run ${quoteTyped(typed)}`,
      why: denied ? "a file of it may not be read" : readWords(error),
      next: "Make its files readable, or copy the folder, and verify again.",
    }, error);
  }
}

const UNCHECKED = `The signature in ${ATTESTATION_NAME} was not checked; ` +
  "--public-key FILE checks it.";

/** One line with which a run says that its own evidence was verified. */
export function ownVerdict(verification: Verification): string {
  const { holds, checks, discrepancy } = verification;
  if (!holds) {
    const { file, message } = discrepancy!;
    return `The evidence does NOT hold: ${file}: ${message}`;
  }
  const records = checks.find(({ name }) => name === "records")?.checked ?? 0;
  return `Verified: ${counted(records, "record")} derived again`;
}

/** A verification as a short table and a verdict. */
export function verificationText(
  verification: Verification,
  color: boolean,
): string {
  const { good, bad, dim, strong } = paint(color);
  const { runId, holds, checks, discrepancy, notes, final } = verification;
  const words = {
    holds: good("holds"),
    fails: bad("fails"),
    not_reached: dim("not reached"),
    none: dim("none"),
  };
  const rows = checks.map(({ name, checked, state }) =>
    `  ${dim(name.padEnd(16))}${`${checked}`.padStart(6)}  ${words[state]}\n`
  );
  const run = runId === null ? "the run" : `run ${showSafely(runId)}`;
  const verdict = holds
    ? `The evidence of ${run} holds.`
    : discrepancy?.check === SIGNATURE
    ? `The evidence of ${run} holds; the signature doesn't: ` +
      `${showSafely(asClause(discrepancy.message))}.`
    : `The evidence of ${run} does not hold.`;
  return rows.join("") + notes.map((note) => `${showSafely(note)}\n`).join("") +
    (discrepancy === null ? "" : discrepancyText(discrepancy)) +
    (final === null ? "" : `${ranText(final as FinalReport)}\n`) +
    `${strong(verdict)}\n`;
}

/** What the run was, as the report that was derived again says it. */
function ranText(
  { source, core_trial, extension, recovered, ...final }: FinalReport,
): string {
  const { stop_reason, detail, verified_success } = final;
  const stop = stopText({ reason: stop_reason, detail }, LAB_WORDS);
  return [
    `Proposals from ${sourceWords(source)}`,
    ...core_trial ? ["The core trial"] : [],
    ...extension === null ? [] : [`An extension: ${extension}`],
    `Stopped by ${stop}`,
    ...recovered ? ["Closed by recovery"] : [],
    `Verified success: ${verified_success ? "yes" : "no"}`,
  ].map((part) => `${showSafely(part)}.`).join(" ");
}

function discrepancyText(
  discrepancy: NonNullable<Verification["discrepancy"]>,
): string {
  const { file, line, event, field, message, expected, found } = discrepancy;
  const place = [
    showSafely(file),
    ...(line === null ? [] : [`line ${line}`]),
    ...(event === null ? [] : [`event ${event}`]),
    ...(field === null ? [] : [showSafely(field)]),
  ].join(", ");
  return `First difference: ${place}\n  ${showSafely(message)}\n` +
    (expected === null ? "" : `  expected  ${showSafely(expected)}\n`) +
    (found === null ? "" : `  found     ${showSafely(found)}\n`);
}
