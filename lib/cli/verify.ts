// `tinycoder verify RUN`: hands a stranger the whole run to check, and says the
// first thing that differs.

import {
  type Verification,
  verificationJson,
} from "../evidence/verify_report.ts";
import { ATTESTATION_NAME } from "../evidence/receipts/attestation_name.ts";
import { readPublicKey } from "../evidence/receipts/signing_key.ts";
import { verifyRun } from "../evidence/verify.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { diskFiles, errorCode, type Files } from "../system/files.ts";
import { showSafely } from "../system/safe_text.ts";
import { paint } from "./colors.ts";
import type { Invocation } from "./command.ts";
import { existingRun } from "./existing_run.ts";
import { readKeyFile } from "./key_file.ts";
import { verifySignedRun } from "./lab_attestation.ts";
import { verificationOf } from "./lab_verification.ts";
import type { Terminal } from "./terminal.ts";
import { counted } from "./text_layout.ts";

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
      ? `${JSON.stringify(verificationJson(verification))}\n`
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
  try {
    if (key !== null) return await verifySignedRun(files, folder, key);
    const verification = await verifyRun({
      files,
      folder,
      taskOf: verificationOf(files, folder),
    });
    return files.facts(`${folder}/${ATTESTATION_NAME}`) === null
      ? verification
      : { ...verification, notes: [...verification.notes, UNCHECKED] };
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (typeof code !== "string" && !isDenied(error)) throw error;
    throw new CommandError(EXIT.harness, {
      what: `Cannot verify the run ${JSON.stringify(typed)}`,
      why: isDenied(error)
        ? "a file of it may not be read"
        : `the system answered ${errorCode(error)}`,
      next: "Make its files readable, or copy the folder, and verify again.",
    }, error);
  }
}

const UNCHECKED = `The signature in ${ATTESTATION_NAME} was not checked; ` +
  "--public-key FILE checks it.";

function isDenied(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable ||
    error instanceof Deno.errors.PermissionDenied;
}

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
  const { runId, holds, checks, discrepancy, notes } = verification;
  const words = {
    holds: good("holds"),
    fails: bad("fails"),
    not_reached: dim("not reached"),
    none: dim("none"),
  };
  const rows = checks.map(({ name, checked, state }) =>
    `  ${dim(name.padEnd(16))}${`${checked}`.padStart(6)}  ${words[state]}\n`
  );
  const run = runId === null ? "the run" : `run ${runId}`;
  const verdict = holds
    ? strong(`The evidence of ${run} holds.\n`)
    : strong(`The evidence of ${run} does not hold.\n`);
  return rows.join("") + notes.map((note) => `${note}\n`).join("") +
    (discrepancy === null ? "" : discrepancyText(discrepancy)) + verdict;
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
