// `tinycoder keygen KEY`: a pair of Ed25519 keys, never over anything.

import {
  generateKeys,
  keyIdOf,
  readPublicKey,
} from "../evidence/receipts/signing_key.ts";
import { CommandError, EXIT, type ExitCode } from "../system/command_error.ts";
import { createWhole, diskFiles, errorCode } from "../system/files.ts";
import type { Invocation } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Writes KEY (0600, private) and KEY.pub. */
export async function keygen(
  { operands, options }: Invocation,
  terminal: Terminal,
): Promise<ExitCode> {
  const typed = operands[0] ?? "";
  const typedPublic = `${typed}.pub`;
  const { privatePem, publicPem } = await generateKeys();
  const encoder = new TextEncoder();
  const create = (path: string, pem: string) => {
    try {
      createWhole(diskFiles, path, encoder.encode(pem));
    } catch (error) {
      throw refusal(path, error);
    }
  };
  // The public half first: where it can't be written no private key is left.
  create(typedPublic, publicPem);
  try {
    create(typed, privatePem);
  } catch (error) {
    diskFiles.remove(typedPublic);
    throw error;
  }
  const keyId = await keyIdOf(await readPublicKey(publicPem));
  terminal.out(
    options["json"]
      ? `${
        JSON.stringify({
          key_id: keyId,
          private_key: typed,
          public_key: typedPublic,
        })
      }\n`
      : `Private key  ${typed}  (keep it; whoever has it signs in your name)\n` +
        `Public key   ${typedPublic}\n` +
        `Key id       ${keyId}\n`,
  );
  return EXIT.done;
}

function refusal(path: string, error: unknown): CommandError {
  const what = `Cannot create the key ${JSON.stringify(path)}`;
  if (errorCode(error) === "EEXIST") {
    return new CommandError(EXIT.refused, {
      what,
      why: "it exists already",
      next: "Choose a name that is not taken; no key is ever overwritten.",
    }, error);
  }
  if (
    error instanceof Deno.errors.NotCapable ||
    errorCode(error) === "ERR_ACCESS_DENIED"
  ) {
    return new CommandError(EXIT.refused, {
      what,
      why: "it does not lie below the current folder",
      next: "Give a name in the current folder.",
    }, error);
  }
  return new CommandError(EXIT.refused, {
    what,
    why: errorCode(error) === "ENOENT"
      ? "its folder does not exist"
      : `the system answered ${errorCode(error)}`,
    next: "Give a name in a folder that you may write to.",
  }, error);
}
