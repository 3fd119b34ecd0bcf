// `tinycoder sign RUN --key FILE`: signs only what was just verified.

import { asClause } from "../evidence/evidence_files.ts";
import { attestationBytes } from "../evidence/receipts/attestation.ts";
import { ATTESTATION_NAME } from "../evidence/receipts/attestation_name.ts";
import {
  keyIdOf,
  publicKeyOf,
  readPrivateKey,
} from "../evidence/receipts/signing_key.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { createOrNothing } from "../system/create_or_nothing.ts";
import { diskFiles } from "../system/files.ts";
import { showSafely } from "../system/safe_text.ts";
import { systemWords } from "../system/system_words.ts";
import type { Invocation } from "./command.ts";
import { existingRun } from "./existing_run.ts";
import { readKeyFile } from "./key_file.ts";
import { sameStatement, stateRun } from "./lab_attestation.ts";
import { quoteTyped } from "./quote_typed.ts";
import { tellDone } from "./tell_done.ts";
import type { Terminal } from "./terminal.ts";
import { reading, verificationText } from "./verify.ts";

/** Writes a run's attestation, once. */
export async function sign(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const typedKey = options["key"];
  if (typeof typedKey !== "string") throw new TypeError("Signing needs a key");
  const folder = existingRun(diskFiles, typed);
  const { key, keyId } = await readKeyFile(
    diskFiles,
    typedKey,
    async (pem) => ({
      key: await readPrivateKey(pem),
      keyId: await keyIdOf(await publicKeyOf(pem)),
    }),
  );
  const what = `Cannot sign the run ${quoteTyped(typed)}`;
  const path = `${folder}/${ATTESTATION_NAME}`;
  if (diskFiles.facts(path) !== null) {
    throw new CommandError(EXIT.refused, {
      what,
      why: `it has its ${ATTESTATION_NAME} already`,
      next: `Move that file away to sign again; nothing is overwritten.`,
    });
  }
  const { verification, statement, uncovered } = await reading(
    typed,
    () => stateRun(diskFiles, folder),
  );
  if (uncovered !== null) {
    throw new CommandError(EXIT.refused, {
      what,
      why: `no signature can cover ${quoteTyped(uncovered.file)}: ${
        asClause(uncovered.message)
      }`,
      next: "The run verifies as it is, but stays unsigned.",
    });
  }
  if (statement === null) {
    terminal.note(verificationText(verification, terminal.noteColor));
    throw new CommandError(EXIT.evidence, {
      what,
      why: "its evidence does not hold",
      next: "Only a run that verifies is signed.",
    });
  }
  // What is signed must be what was verified, so both are done twice.
  const again = await stateRun(diskFiles, folder);
  if (again.statement === null || !sameStatement(statement, again.statement)) {
    throw new CommandError(EXIT.evidence, {
      what,
      why: "its files changed while they were verified",
      next: "See that nothing writes to the folder, then sign again.",
    });
  }
  write(path, await attestationBytes(statement, key, keyId), what);
  const signed = `${showSafely(typed)}/${ATTESTATION_NAME}, key id ${keyId}`;
  tellDone(
    terminal,
    options["json"]
      ? `${JSON.stringify({ attestation: ATTESTATION_NAME, key_id: keyId })}\n`
      : `Signed: ${signed}\n`,
    `The run is signed: ${signed}.`,
  );
  return EXIT.done;
}

function write(path: string, bytes: Uint8Array, what: string): void {
  try {
    createOrNothing(diskFiles, path, bytes);
  } catch (error) {
    const { why, next } = systemWords(error);
    throw new CommandError(EXIT.harness, {
      what,
      why,
      next: `Nothing was signed. ${next}`,
    }, error);
  }
}
